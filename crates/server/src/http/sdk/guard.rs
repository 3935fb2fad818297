//! Checks of SDK requests before their bodies are read: key, origin and rate limit.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRef, FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;

use crate::domain::sdk_key::KeyKind;
use crate::error::AppError;
use crate::http::extract::address::Address;
use crate::http::extract::caller;
use crate::http::problem::{Problem, too_many_requests};
use crate::http::sdk::limits::Limits;
use crate::serving::Serving;
use crate::serving::client;
use crate::serving::snapshot::EnvironmentSnapshot;
use crate::serving::snapshots::SdkKeyRef;

/// The other header that may contain a key.
const API_KEY_HEADER: &str = "x-api-key";

/// The state of these checks.
#[derive(Clone)]
pub struct Guard {
    /// The application.
    pub serving: Arc<Serving>,
    /// The rate limits.
    pub limits: Arc<Limits>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub proxies: Arc<[IpNet]>,
}

impl FromRef<Guard> for Arc<Serving> {
    fn from_ref(guard: &Guard) -> Self {
        Self::clone(&guard.serving)
    }
}

impl FromRef<Guard> for Arc<Limits> {
    fn from_ref(guard: &Guard) -> Self {
        Self::clone(&guard.limits)
    }
}

/// A valid client key, of a request within origin and rate limits.
pub struct ClientKey(pub Arc<SdkKeyRef>);

impl FromRequestParts<Guard> for ClientKey {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, guard: &Guard) -> Result<Self, Response> {
        let key = guard.authenticate(parts).await.map_err(|error| Problem::from(error).into_response())?;
        guard.check_client(&key, parts).map_err(|response| *response)?;
        Ok(Self(key))
    }
}

/// The client key of a stream. An unknown key is not an error here: the stream reports it as an event.
pub struct StreamKey(pub Option<Arc<SdkKeyRef>>);

impl FromRequestParts<Guard> for StreamKey {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, guard: &Guard) -> Result<Self, Response> {
        let Ok(key) = guard.authenticate(parts).await else { return Ok(Self(None)) };
        guard.check_client(&key, parts).map_err(|response| *response)?;
        Ok(Self(Some(key)))
    }
}

/// A valid server key, of a request within the rate limit. It is secret, so URLs never contain it.
pub struct ServerKey(pub Arc<SdkKeyRef>);

impl FromRequestParts<Guard> for ServerKey {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, guard: &Guard) -> Result<Self, Response> {
        let text = caller::bearer(parts).unwrap_or_default();
        let key = client::authenticate(&guard.serving, KeyKind::Server, text);
        let key = key.map_err(|error| Problem::from(error).into_response())?;
        guard.check_rate(&key, parts).map_err(|response| *response)?;
        Ok(Self(key))
    }
}

/// A valid key of either kind from a header, of a request within origin and rate limits.
pub struct EitherKey {
    /// The key.
    pub key: Arc<SdkKeyRef>,
    /// Its text.
    pub text: String,
}

impl FromRequestParts<Guard> for EitherKey {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, guard: &Guard) -> Result<Self, Response> {
        let named = parts.headers.get(API_KEY_HEADER).and_then(|value| value.to_str().ok());
        let text = caller::bearer(parts).or(named).unwrap_or_default().to_owned();
        let key = client::authenticate_either(&guard.serving, &text);
        let key = key.map_err(|error| Problem::from(error).into_response())?;
        match key.kind {
            KeyKind::Client => guard.check_client(&key, parts),
            KeyKind::Server => guard.check_rate(&key, parts),
        }
        .map_err(|response| *response)?;
        Ok(Self { key, text })
    }
}

impl FromRequestParts<Guard> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, guard: &Guard) -> Result<Self, Infallible> {
        Ok(Self::from_request(parts, &guard.proxies))
    }
}

impl Guard {
    async fn authenticate(&self, parts: &mut Parts) -> Result<Arc<SdkKeyRef>, AppError> {
        let parameters = RawPathParams::from_request_parts(parts, self).await.ok();
        let key = parameters.as_ref().and_then(|parameters| parameters.iter().find(|(name, _)| *name == "clientKey"));
        client::authenticate(&self.serving, KeyKind::Client, key.map_or("", |(_, key)| key))
    }

    fn check_client(&self, key: &SdkKeyRef, parts: &Parts) -> Result<(), Box<Response>> {
        if !origin_allowed(&self.serving, key, &parts.headers) {
            let detail = "This origin may not use this client key. Add it to the environment's allowedOrigins.";
            let problem = Problem::new(StatusCode::FORBIDDEN, "origin-not-allowed", detail);
            return Err(Box::new(problem.into_response()));
        }
        self.check_rate(key, parts)
    }

    /// Counts the request, which from here on is a use of the key.
    fn check_rate(&self, key: &SdkKeyRef, parts: &Parts) -> Result<(), Box<Response>> {
        let address = Address::from_request(parts, &self.proxies);
        self.limits.count_request(&key.id, address).map_err(|wait| Box::new(too_many(wait, "requests")))?;
        self.serving.note_use(key);
        Ok(())
    }
}

/// A missing `Origin` is allowed: the list does not authenticate, it keeps pages of other sites from using a key.
fn origin_allowed(serving: &Serving, key: &SdkKeyRef, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let published = serving.snapshots.current(&key.environment_id);
    published.is_some_and(|published| allows_origin(&published.snapshot, origin.as_bytes()))
}

/// Whether pages of the origin may use the environment's client keys.
pub fn allows_origin(environment: &EnvironmentSnapshot, origin: &[u8]) -> bool {
    let allowed = &environment.allowed_origins;
    allowed.is_empty() || allowed.iter().any(|allowed| allowed.as_bytes() == origin)
}

/// The response to a client that exceeds a limit.
pub fn too_many(wait: Duration, what: &str) -> Response {
    too_many_requests(wait, &format!("Too many {what} with this key from this address."))
}
