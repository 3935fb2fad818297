//! `POST /evaluate/flags`: evaluates all features for one context. Providers in pages use it, with `ETag`s.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_rules::User;
use serde::{Deserialize, Serialize};

use crate::domain::sdk_key::KeyKind;
use crate::error::AppError;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::guard::EitherKey;
use crate::http::sdk::ofrep::context;
use crate::http::sdk::ofrep::flag::Flag;
use crate::secret;
use crate::serving::Serving;
use crate::serving::snapshot::Published;
use crate::serving::snapshots::SdkKeyRef;
use crate::serving::{client, stream_token};

/// The `ETag` changes in each such period, so that the provider gets a new stream token long before the old one expires.
const TOKEN_PERIOD_MS: i64 = stream_token::STREAM_TOKEN_LIFETIME_MS / 2;

/// After how long a hidden page closes its stream: a browser has only six connections for each origin.
const INACTIVITY_DELAY_SECONDS: u32 = 15;

/// The version from an event. Other query parameters are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkQuery {
    flag_config_etag: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BulkResponse<'a> {
    flags: Vec<Flag<'a>>,
    metadata: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_streams: Option<[EventStream; 1]>,
}

#[derive(Serialize)]
struct Metadata {
    /// The version of the environment.
    version: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventStream {
    #[serde(rename = "type")]
    kind: &'static str,
    endpoint: Endpoint,
    inactivity_delay_sec: u32,
}

/// The path only: the provider knows the origin of this server.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint {
    request_uri: String,
}

/// Evaluates all features, or returns 304 if the provider has the result.
pub async fn evaluate_all(
    State(serving): State<Arc<Serving>>,
    EitherKey { key, text }: EitherKey,
    Query(query): Query<BulkQuery>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Response> {
    let user = context::user(request, None).await?;
    let error_response = |error: AppError| Problem::from(error).into_response();
    let announced = query.flag_config_etag.as_deref().and_then(Since::parse);
    if announced.is_some() {
        // Another node may have announced a version that this node has not read yet.
        client::published(&serving, &key, announced).await.map_err(error_response)?;
    }
    let now = client::current(&serving, &key).map_err(error_response)?;
    let etag = etag(&key, &user, &now).map_err(error_response)?;
    let is_known = matches_etag(&headers, &etag);
    let validators = [(header::ETAG, etag), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, validators).into_response());
    }
    let metadata = Metadata { version: now.snapshot.version };
    let event_streams = match key.kind {
        KeyKind::Client => Some([event_stream(&serving, &key, &text, user.clone(), &now).map_err(error_response)?]),
        // A server key is secret, so URLs must not contain it.
        KeyKind::Server => None,
    };
    let (snapshot, user) = (Arc::clone(&now.snapshot), Arc::new(user));
    let of_user = Arc::clone(&user);
    let respond = move || {
        let flags = now.snapshot.features.iter().map(|feature| Flag::evaluate(feature, &of_user, now.at)).collect();
        (validators, Json(BulkResponse { flags, metadata, event_streams })).into_response()
    };
    client::evaluate(&serving, &snapshot, &user, respond).await.map_err(error_response)
}

fn event_stream(
    serving: &Serving,
    key: &SdkKeyRef,
    text: &str,
    user: User,
    now: &Published,
) -> Result<EventStream, AppError> {
    let (token, _) = stream_token::seal(serving, key, user)?;
    let request_uri = format!("/client/v1/{text}/changes?token={token}&since={}", now.snapshot.since(0));
    Ok(EventStream { kind: "sse", endpoint: Endpoint { request_uri }, inactivity_delay_sec: INACTIVITY_DELAY_SECONDS })
}

/// Covers all that the response depends on: the version, the interval in which no time condition changes, the key, the context
/// with sorted attributes, and the period of the stream token.
fn etag(key: &SdkKeyRef, user: &User, now: &Published) -> Result<String, AppError> {
    let turn = now.snapshot.next_turn(now.at).map(|turn| turn.0);
    let period = now.at.0.div_euclid(TOKEN_PERIOD_MS);
    let version = now.snapshot.since(0).to_string();
    let covered = serde_json::to_string(&(version, turn, period, &key.id, user)).map_err(anyhow::Error::new)?;
    Ok(format!("\"{}\"", secret::hash(&covered)))
}

fn matches_etag(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut etags = values.flat_map(|value| value.split(',')).map(str::trim);
    etags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
}
