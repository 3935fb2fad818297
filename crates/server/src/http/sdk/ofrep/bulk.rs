//! `POST /evaluate/flags`: all features of one context, for providers of pages, which ask again only for what is new.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_rules::User;
use serde::{Deserialize, Serialize};

use crate::app::serving::snapshot::{Published, SdkKeyRef};
use crate::app::serving::{client, stream_token};
use crate::app::{App, AppError};
use crate::domain::sdk_key::KeyKind;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::guard::EitherKey;
use crate::http::sdk::ofrep::context;
use crate::http::sdk::ofrep::flag::Flag;
use crate::secret;

/// A new token comes with the first answer of each six hours, so that who has been told of no change has one that counts: it
/// does for twice as long.
const TOKEN_PERIOD: i64 = stream_token::LIFETIME / 2;

/// When a page that nobody sees ends its stream, in seconds: a browser has six connections for each origin.
const INACTIVITY_DELAY: u32 = 15;

/// What an event told of the configuration; what else stands in the query is ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkQuery {
    flag_config_etag: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    flags: Vec<Flag<'a>>,
    metadata: Metadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_streams: Option<[EventStream; 1]>,
}

#[derive(Serialize)]
struct Metadata {
    /// Of the environment's configuration.
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

/// Without an origin: the provider knows by which one it reaches this server.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint {
    request_uri: String,
}

/// Evaluates all features, unless the provider has these values.
pub async fn all(
    State(app): State<Arc<App>>,
    EitherKey { key, text }: EitherKey,
    Query(query): Query<BulkQuery>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Response> {
    let user = context::user(request, None).await?;
    let refused = |error: AppError| Problem::from(error).into_response();
    let told = query.flag_config_etag.as_deref().and_then(Since::parse);
    if told.is_some() {
        // Another node may have told of what this one has yet to read.
        client::published(&app, &key, told).await.map_err(refused)?;
    }
    let now = client::current(&app, &key).map_err(refused)?;
    let etag = etag(&key, &user, &now).map_err(refused)?;
    let named = [(header::ETAG, etag.as_str()), (header::CACHE_CONTROL, "private, no-cache")];
    if knows(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, named).into_response());
    }
    let flags = now.snapshot.features.iter().map(|feature| Flag::of(feature, &user, now.at)).collect();
    let metadata = Metadata { version: now.snapshot.version };
    let event_streams = match key.kind {
        KeyKind::Client => Some([event_stream(&app, (&key, &text), user.clone(), &now).map_err(refused)?]),
        // A server key is secret, and so in no address.
        KeyKind::Server => None,
    };
    Ok((named, Json(Answer { flags, metadata, event_streams })).into_response())
}

fn event_stream(
    app: &App,
    (key, text): (&SdkKeyRef, &str),
    user: User,
    now: &Published,
) -> Result<EventStream, AppError> {
    let (token, _) = stream_token::seal(app, key, user)?;
    let request_uri = format!("/client/v1/{text}/changes?token={token}&since={}", now.snapshot.since(0));
    Ok(EventStream { kind: "sse", endpoint: Endpoint { request_uri }, inactivity_delay_sec: INACTIVITY_DELAY })
}

/// Stands for all that the answer depends on: the version, the interval of time in which no condition turns, the key, and the
/// context, its attributes in the order of their names; and for how long the token of the event stream counts.
fn etag(key: &SdkKeyRef, user: &User, now: &Published) -> Result<String, AppError> {
    let turn = now.snapshot.next_turn(now.at).map(|turn| turn.0);
    let period = now.at.0.div_euclid(TOKEN_PERIOD);
    let point = now.snapshot.since(0).to_string();
    let covered = serde_json::to_string(&(point, turn, period, &key.id, user)).map_err(anyhow::Error::new)?;
    Ok(format!("\"{}\"", secret::hash(&covered)))
}

fn knows(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = values.flat_map(|value| value.split(',')).map(str::trim);
    known.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
}
