//! `GET /server/v1/rules` and `/server/v1/stream`: the rules of an environment, for services that evaluate for themselves.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{PATCH, PUT};
use serde::Deserialize;

use crate::app::App;
use crate::app::serving::client::{environment, published};
use crate::app::serving::snapshot::{Published, changed_rules};
use crate::http::extract::address::Address;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::following::{RETRY_FULL, Telling, follow, reload, send_away, written};
use crate::http::sdk::guard::{ServerKey, too_many};
use crate::http::sdk::limits::Limits;

/// All rules, unless the service has them.
pub async fn read(
    State(app): State<Arc<App>>,
    ServerKey(key): ServerKey,
    asked: HeaderMap,
) -> Result<Response, Problem> {
    let environment = environment(&app, &key)?;
    let rules = environment.rules();
    let etag = format!("\"{}\"", rules.since);
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        // Whoever stands between asks first, and keeps them for nobody else.
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::ETAG, etag.as_str()),
    ];
    if knows(&asked, rules.since) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let bytes = Bytes::from_owner(Written(Arc::clone(&rules.json)));
    let mut response = (headers, Body::from(bytes)).into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("authorization"));
    Ok(response)
}

/// Whether one of the points in `If-None-Match` stands for the same rules.
fn knows(asked: &HeaderMap, now: Since) -> bool {
    let values = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let points = values.flat_map(|value| value.split(',')).filter_map(|etag| {
        let etag = etag.trim();
        Since::parse(etag.strip_prefix("W/").unwrap_or(etag).trim_matches('"'))
    });
    points.into_iter().any(|point| point.digest == now.digest)
}

/// Rules as the bytes of a body, without a copy.
struct Written(Arc<str>);

impl AsRef<[u8]> for Written {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// What a service asks for.
#[derive(Deserialize)]
pub struct StreamQuery {
    since: Option<String>,
}

/// Opens a stream of the rules that change.
pub async fn stream(
    State(app): State<Arc<App>>,
    State(limits): State<Arc<Limits>>,
    ServerKey(key): ServerKey,
    address: Address,
    Query(query): Query<StreamQuery>,
) -> Result<Response, Problem> {
    if app.drain.is_stopping() {
        return Ok(send_away(&app));
    }
    let since = query.since.as_deref().and_then(Since::parse);
    let Some(published) = published(&app, &key, since).await? else { return Ok(reload(&app)) };
    let Some(open) = limits.stream(&key.id, address) else { return Ok(too_many(RETRY_FULL, "open streams")) };
    Ok(follow(app, &key, published, RuleChanges { since }, open))
}

/// What the service knows of the rules: at first those of the point that it has named.
struct RuleChanges {
    since: Option<Since>,
}

impl Telling for RuleChanges {
    fn opening(&mut self, app: &App, now: &Published) -> Option<Event> {
        let rules = now.snapshot.rules();
        let current = self.since.is_some_and(|since| since.digest == rules.since.digest);
        (!current).then(|| written(app, PUT, &rules.json, rules.since))
    }

    fn next(&mut self, app: &App, before: &Published, now: &Published) -> Option<Event> {
        let changes = changed_rules(&before.snapshot, &now.snapshot)?;
        Some(written(app, PATCH, changes, now.snapshot.rules().since))
    }
}
