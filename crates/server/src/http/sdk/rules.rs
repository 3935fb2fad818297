//! `GET /server/v1/rules` and `/server/v1/stream`: the rules of an environment, for services that evaluate locally.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{PATCH, PUT};
use serde::Deserialize;

use crate::http::extract::accepted_encoding::accepts_encoding;
use crate::http::extract::address::Address;
use crate::http::extract::parameters::Query;
use crate::http::middleware::compression::MIN_BYTES;
use crate::http::problem::Problem;
use crate::http::sdk::environment_stream::{
    Access, RETRY_AFTER_TOO_MANY_STREAMS, StreamSource, drain_response, follow, json_event, reload_response,
};
use crate::http::sdk::guard::{ServerKey, too_many};
use crate::http::sdk::limits::Limits;
use crate::serving::Serving;
use crate::serving::client::{self, environment, published};
use crate::serving::snapshot::{EnvironmentSnapshot, Published, changed_rules};

/// Returns all rules, or 304 if the service has them.
pub async fn load(
    State(serving): State<Arc<Serving>>,
    ServerKey(key): ServerKey,
    request_headers: HeaderMap,
) -> Result<Response, Problem> {
    let environment = environment(&serving, &key)?;
    let rules = environment.rules();
    let etag = format!("\"{}\"", rules.since);
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        // Caches must revalidate, and must not share the response.
        (header::CACHE_CONTROL, "private, no-cache"),
        (header::ETAG, etag.as_str()),
    ];
    if has_rules(&request_headers, rules.since) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let mut response = match compressed(&serving, &environment, &request_headers).await? {
        Some(gzip) => ([(header::CONTENT_ENCODING, "gzip")], headers, Body::from(gzip)).into_response(),
        None => (headers, Body::from(Bytes::from_owner(SharedJson(Arc::clone(rules.json.plain()))))).into_response(),
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("authorization, accept-encoding"));
    Ok(response)
}

/// The rules compressed, if the service accepts that and it is worthwhile. Each version is compressed once.
async fn compressed(
    serving: &Serving,
    environment: &Arc<EnvironmentSnapshot>,
    request_headers: &HeaderMap,
) -> Result<Option<Bytes>, Problem> {
    let json = &environment.rules().json;
    if (json.plain().len() as u64) < MIN_BYTES || !accepts_encoding(request_headers, "gzip") {
        return Ok(None);
    }
    let gzip = if let Some(gzip) = json.ready_gzip() {
        gzip
    } else {
        let environment = Arc::clone(environment);
        client::long_work(serving, move || environment.rules().json.gzip()).await?
    };
    Ok(Some(Bytes::from_owner(gzip)))
}

/// Whether `If-None-Match` contains a version with the same rules.
fn has_rules(request_headers: &HeaderMap, now: Since) -> bool {
    let values = request_headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let versions = values.flat_map(|value| value.split(',')).filter_map(|etag| {
        let etag = etag.trim();
        Since::parse(etag.strip_prefix("W/").unwrap_or(etag).trim_matches('"'))
    });
    versions.into_iter().any(|version| version.digest == now.digest)
}

/// Rules as a response body, without a copy.
struct SharedJson(Arc<str>);

impl AsRef<[u8]> for SharedJson {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The query of a stream of rules.
#[derive(Deserialize)]
pub struct StreamQuery {
    since: Option<String>,
}

/// Opens a stream of rule changes.
pub async fn stream(
    State(serving): State<Arc<Serving>>,
    State(limits): State<Arc<Limits>>,
    ServerKey(key): ServerKey,
    address: Address,
    Query(query): Query<StreamQuery>,
) -> Result<Response, Problem> {
    if serving.node.drain.is_stopping() {
        return Ok(drain_response(&serving));
    }
    let since = query.since.as_deref().and_then(Since::parse);
    let Some(published) = published(&serving, &key, since).await? else { return Ok(reload_response(&serving)) };
    let Some(open) = limits.open_stream(&key.id, address) else {
        return Ok(too_many(RETRY_AFTER_TOO_MANY_STREAMS, "open streams"));
    };
    Ok(follow(serving, Access::of_service(&key), published, RuleChanges { since }, open))
}

/// The version of the rules that the service has named, or was last sent.
struct RuleChanges {
    since: Option<Since>,
}

impl StreamSource for RuleChanges {
    fn first_event(&mut self, serving: &Serving, now: &Published) -> Option<Event> {
        let rules = now.snapshot.rules();
        let known = self.since.replace(rules.since);
        let current = known.is_some_and(|known| known.digest == rules.since.digest);
        (!current).then(|| json_event(serving, PUT, rules.json.plain(), rules.since))
    }

    fn next_event(&mut self, serving: &Serving, before: &Published, now: &Published) -> Option<Event> {
        let changes = changed_rules(&before.snapshot, &now.snapshot)?;
        let current = now.snapshot.rules().since;
        self.since = Some(current);
        Some(json_event(serving, PATCH, changes, current))
    }
}
