//! `GET /client/v1/{clientKey}/changes`: tells OpenFeature's providers when to ask again.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_rules::{Instant, User};
use serde::{Deserialize, Serialize};

use crate::app::serving::client::subscribe;
use crate::app::serving::snapshot::{Published, changes as changed, types_changed};
use crate::app::{App, AppError};
use crate::http::extract::address::Address;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::following::{RETRY_FULL, Telling, comparable, follow, reload, send_away};
use crate::http::sdk::guard::{ClientKey, too_many};
use crate::http::sdk::limits::Limits;

/// The event's kind, in the words of the protocol.
const REFETCH: &str = "refetchEvaluation";

/// What a browser says when it connects again: the id of the last event.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// What a provider asks for, as the answer that sent it here has told it.
#[derive(Deserialize)]
pub struct ChangesQuery {
    #[serde(default)]
    token: String,
    since: Option<String>,
}

/// Opens a stream. A token that does not count is an error, upon which an `EventSource` gives up: only an answer to all
/// features has another one.
pub async fn changes(
    State(app): State<Arc<App>>,
    State(limits): State<Arc<Limits>>,
    ClientKey(key): ClientKey,
    address: Address,
    Query(query): Query<ChangesQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if app.drain.is_stopping() {
        return Ok(send_away(&app));
    }
    let last = headers.get(LAST_EVENT_ID).and_then(|value| value.to_str().ok()).and_then(Since::parse);
    let since = last.or_else(|| query.since.as_deref().and_then(Since::parse));
    let Some(subscription) = subscribe(&app, &key, &query.token, since).await? else {
        return match subscribe(&app, &key, &query.token, None).await? {
            // This node has yet to read what another one has shown: the browser comes back.
            Some(_) => Ok(reload(&app)),
            None => Ok(Problem::from(AppError::Unauthenticated(STALE_TOKEN)).into_response()),
        };
    };
    let Some(open) = limits.stream(&key.id, address) else { return Ok(too_many(RETRY_FULL, "open streams")) };
    let telling = Refetch { user: subscription.user, since, loaded_at: subscription.loaded_at };
    Ok(follow(app, &key, subscription.published, telling, open))
}

/// What to do about a token that is expired, unreadable, or another key's.
const STALE_TOKEN: &str = "This token does not count any more. Evaluate all features again: the answer has a new one.";

/// What the provider knows.
struct Refetch {
    /// Its user; none when the token was too small for it: then every change is told of.
    user: Option<User>,
    since: Option<Since>,
    loaded_at: Instant,
}

impl Telling for Refetch {
    fn opening(&mut self, app: &App, now: &Published) -> Option<Event> {
        let same_version = comparable(self.since, now).is_some_and(|since| since.version == now.snapshot.version);
        let turn = now.snapshot.next_turn(self.loaded_at);
        let current = same_version && turn.is_none_or(|turn| turn > now.at);
        (!current).then(|| refetch(app, now))
    }

    fn next(&mut self, app: &App, before: &Published, now: &Published) -> Option<Event> {
        let differs = match &self.user {
            None => before.snapshot.version != now.snapshot.version || before.at != now.at,
            Some(user) => {
                !changed(before, now, user, 0).variants.is_empty() || types_changed(&before.snapshot, &now.snapshot)
            }
        };
        differs.then(|| refetch(app, now))
    }
}

#[derive(Serialize)]
struct Told {
    #[serde(rename = "type")]
    kind: &'static str,
    /// Goes into the query of the next request: the point of the configuration, and nothing of the user.
    etag: String,
}

fn refetch(app: &App, now: &Published) -> Event {
    app.metrics.event(REFETCH);
    let point = now.snapshot.since(0).to_string();
    let event = Event::default().id(&point);
    // Two texts, which always serialise.
    event.json_data(Told { kind: REFETCH, etag: point }).unwrap_or_default()
}
