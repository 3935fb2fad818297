//! `GET /stream`: changes of a user's values as server-sent events, as soon as they happen.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use axum::response::sse::Event;
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{CHANGED, PATCH, PUT};
use flagservice_rules::{Instant, User};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::app::serving::client::subscribe;
use crate::app::serving::snapshot::{Published, changes};
use crate::http::extract::address::Address;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::following::{Empty, RETRY_FULL, Telling, comparable, event, follow, reload, send_away, written};
use crate::http::sdk::guard::{StreamKey, too_many};
use crate::http::sdk::limits::Limits;

/// What a client asks for.
#[derive(Deserialize)]
pub struct StreamQuery {
    #[serde(default)]
    token: String,
    since: Option<String>,
}

/// Opens a stream. A key or a token that does not count is told as an event: an `EventSource` cannot read an error.
pub async fn stream(
    State(app): State<Arc<App>>,
    State(limits): State<Arc<Limits>>,
    StreamKey(key): StreamKey,
    address: Address,
    query: Result<Query<StreamQuery>, Problem>,
) -> Result<Response, Problem> {
    if app.drain.is_stopping() {
        return Ok(send_away(&app));
    }
    let (Some(key), Ok(Query(query))) = (key, query) else { return Ok(reload(&app)) };
    let since = query.since.as_deref().and_then(Since::parse);
    let Some(subscription) = subscribe(&app, &key, &query.token, since).await? else { return Ok(reload(&app)) };
    let Some(open) = limits.stream(&key.id, address) else { return Ok(too_many(RETRY_FULL, "open streams")) };
    let values = match subscription.user {
        Some(user) => Values::Of { user, since, digest: 0 },
        None => Values::Unknown { since, loaded_at: subscription.loaded_at },
    };
    Ok(follow(app, &key, subscription.published, values, open))
}

/// What the client knows of the values.
enum Values {
    /// Of its user.
    Of {
        user: User,
        /// The point that the client has named.
        since: Option<Since>,
        /// Of the client's values, once they have been compared or sent.
        digest: u64,
    },
    /// Its user is too large for a token: changes are only signalled.
    Unknown { since: Option<Since>, loaded_at: Instant },
}

impl Telling for Values {
    fn opening(&mut self, app: &App, now: &Published) -> Option<Event> {
        match self {
            Self::Unknown { since, loaded_at } => {
                let same_version = comparable(*since, now).is_some_and(|since| since.version == now.snapshot.version);
                let turn = now.snapshot.next_turn(*loaded_at);
                let current = same_version && turn.is_none_or(|turn| turn > now.at);
                (!current).then(|| event(app, CHANGED, &Empty {}))
            }
            Self::Of { user, since, digest } => {
                let mut data = String::from("{\"features\":");
                *digest = now.snapshot.write_values(user, now.at, &mut data);
                if comparable(*since, now).is_some_and(|since| since.digest == *digest) {
                    return None;
                }
                data.push('}');
                Some(written(app, PUT, data, now.snapshot.since(*digest)))
            }
        }
    }

    fn next(&mut self, app: &App, before: &Published, now: &Published) -> Option<Event> {
        match self {
            Self::Unknown { .. } => (before.snapshot.version != now.snapshot.version || before.at != now.at)
                .then(|| event(app, CHANGED, &Empty {})),
            Self::Of { user, digest, .. } => patch(app, before, now, user, digest),
        }
    }
}

fn patch(app: &App, before: &Published, now: &Published, user: &User, digest: &mut u64) -> Option<Event> {
    let changes = changes(before, now, user, *digest);
    if changes.variants.is_empty() {
        return None;
    }
    *digest = changes.digest;
    let features =
        changes.variants.iter().map(|(key, variant)| (key.as_str(), variant.map(|key| key.as_str()))).collect();
    Some(event(app, PATCH, &Features { features }).id(now.snapshot.since(changes.digest).to_string()))
}

#[derive(Serialize)]
struct Features<'a> {
    features: BTreeMap<&'a str, Option<&'a str>>,
}
