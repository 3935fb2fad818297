//! `GET /client/v1/{clientKey}/changes`: tells OpenFeature providers when to evaluate again.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_rules::{Instant, User};
use serde::{Deserialize, Serialize};

use crate::error::AppError;
use crate::http::extract::address::Address;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::environment_stream::{
    Access, RETRY_AFTER_TOO_MANY_STREAMS, StreamSource, drain_response, follow, reload_response, same_epoch,
};
use crate::http::sdk::guard::{ClientKey, too_many};
use crate::http::sdk::limits::Limits;
use crate::serving::Serving;
use crate::serving::client::subscribe;
use crate::serving::snapshot::{Published, changes as changed, types_changed};

/// The type of the event in the protocol.
const REFETCH: &str = "refetchEvaluation";

/// The id of the last event, which browsers send when they reconnect.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The query, which comes from the response of the bulk evaluation.
#[derive(Deserialize)]
pub struct ChangesQuery {
    #[serde(default)]
    token: String,
    since: Option<String>,
}

/// Opens a stream. An invalid token is an error response, which makes an `EventSource` give up: only another bulk evaluation
/// returns a new token.
pub async fn changes(
    State(serving): State<Arc<Serving>>,
    State(limits): State<Arc<Limits>>,
    ClientKey(key): ClientKey,
    address: Address,
    Query(query): Query<ChangesQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if serving.node.drain.is_stopping() {
        return Ok(drain_response(&serving));
    }
    let last = headers.get(LAST_EVENT_ID).and_then(|value| value.to_str().ok()).and_then(Since::parse);
    let since = last.or_else(|| query.since.as_deref().and_then(Since::parse));
    let Some(subscription) = subscribe(&serving, &key, &query.token, since).await? else {
        return match subscribe(&serving, &key, &query.token, None).await? {
            // This node has not read the version yet that another node announced. The browser reconnects.
            Some(_) => Ok(reload_response(&serving)),
            None => Ok(Problem::from(AppError::Unauthenticated(STALE_TOKEN)).into_response()),
        };
    };
    let Some(open) = limits.open_stream(&key.id, address) else {
        return Ok(too_many(RETRY_AFTER_TOO_MANY_STREAMS, "open streams"));
    };
    let access = Access::of_browser(&key, &headers, &subscription);
    let source = Refetch { user: subscription.user, since, loaded_at: subscription.loaded_at };
    Ok(follow(serving, access, subscription.published, source, open))
}

/// The problem of a token that is expired, malformed or of another key.
const STALE_TOKEN: &str = "The stream token is invalid or expired. Evaluate all features again to get a new one.";

/// What the server knows about the provider.
struct Refetch {
    /// Its user. `None` if the user was too large for a token: then every change sends an event.
    user: Option<User>,
    since: Option<Since>,
    loaded_at: Instant,
}

impl StreamSource for Refetch {
    fn first_event(&mut self, serving: &Serving, now: &Published) -> Option<Event> {
        let same_version = same_epoch(self.since, now).is_some_and(|since| since.version == now.snapshot.version);
        let turn = now.snapshot.next_turn(self.loaded_at);
        let current = same_version && turn.is_none_or(|turn| turn > now.at);
        (!current).then(|| refetch(serving, now))
    }

    fn next_event(&mut self, serving: &Serving, before: &Published, now: &Published) -> Option<Event> {
        let differs = match &self.user {
            None => before.snapshot.version != now.snapshot.version || before.at != now.at,
            Some(user) => {
                !changed(before, now, user, 0).variants.is_empty() || types_changed(&before.snapshot, &now.snapshot)
            }
        };
        differs.then(|| refetch(serving, now))
    }
}

#[derive(Serialize)]
struct RefetchEvent {
    #[serde(rename = "type")]
    kind: &'static str,
    /// For the query of the next request: the version of the environment, without anything about the user.
    etag: String,
}

fn refetch(serving: &Serving, now: &Published) -> Event {
    serving.metrics.event(REFETCH);
    let version = now.snapshot.since(0).to_string();
    let event = Event::default().id(&version);
    // Two strings, which always serialise.
    event.json_data(RefetchEvent { kind: REFETCH, etag: version }).unwrap_or_default()
}
