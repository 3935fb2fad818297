//! What comes before a client's request is read: its key, its origin, and how much it has asked for.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::limits::Limits;
use crate::app::snapshot::ClientKeyRef;
use crate::app::{App, AppError, client};
use crate::http::address::Address;
use crate::http::problem::Problem;

/// The end of a stream's path.
pub const STREAM_PATH: &str = "/stream";

/// A client key that counts, of a request that passed the guard.
#[derive(Clone)]
pub struct ClientKey(pub Arc<ClientKeyRef>);

impl<S: Send + Sync> FromRequestParts<S> for ClientKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<Self>().cloned().ok_or(AppError::UnknownClientKey)?)
    }
}

/// What the guard knows.
#[derive(Clone)]
pub struct Guard {
    /// The application.
    pub app: Arc<App>,
    /// How much may be asked for.
    pub limits: Arc<Limits>,
}

/// Lets a request pass with its key. A stream passes without one, too: it tells so by an event.
pub async fn check(
    State(guard): State<Guard>,
    parameters: Result<RawPathParams, RawPathParamsRejection>,
    mut request: Request,
    next: Next,
) -> Response {
    let parameters = parameters.as_ref().ok();
    let key = parameters.and_then(|parameters| parameters.iter().find(|(name, _)| *name == "clientKey"));
    let key = key.map_or("", |(_, key)| key);
    match client::authenticate(&guard.app, key) {
        Ok(key) => {
            if let Err(refused) = guard.pass(&key, &request) {
                return *refused;
            }
            request.extensions_mut().insert(ClientKey(key));
        }
        Err(_) if request.uri().path().ends_with(STREAM_PATH) => {}
        Err(unknown) => return Problem::from(unknown).into_response(),
    }
    request.extensions_mut().insert(guard.limits);
    next.run(request).await
}

impl Guard {
    fn pass(&self, key: &ClientKeyRef, request: &Request) -> Result<(), Box<Response>> {
        if !origin_allowed(&self.app, key, request.headers()) {
            let detail =
                "Pages of this origin may not use this client key. Add the origin to the environment's allowedOrigins.";
            let problem = Problem::new(StatusCode::FORBIDDEN, "origin-not-allowed", detail);
            return Err(Box::new(problem.into_response()));
        }
        let Some(address) = request.extensions().get::<Address>() else { return Ok(()) };
        self.limits.request(&key.id, *address).map_err(|wait| Box::new(too_many(wait, "requests")))
    }
}

/// A missing `Origin` passes; the list is no authentication, it keeps honest pages of others from using a key.
fn origin_allowed(app: &App, key: &ClientKeyRef, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let published = app.snapshots.current(&key.environment_id);
    published.is_some_and(|published| {
        let allowed = &published.snapshot.allowed_origins;
        allowed.is_empty() || allowed.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
    })
}

/// The answer to somebody who asks for too much.
pub fn too_many(wait: Duration, what: &str) -> Response {
    let seconds = wait.as_secs() + 1;
    let detail = format!("There are too many {what} with this client key from this address. Wait {seconds} s.");
    let mut response = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", detail).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}
