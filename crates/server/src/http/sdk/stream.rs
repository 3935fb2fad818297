//! `GET /stream`: changes of a user's variants as server-sent events.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::response::sse::Event;
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{CHANGED, PATCH, PUT};
use flagservice_rules::{Instant, User};
use serde::{Deserialize, Serialize};

use crate::http::extract::address::Address;
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;
use crate::http::sdk::environment_stream::{
    Access, Empty, RETRY_AFTER_TOO_MANY_STREAMS, StreamSource, drain_response, event, follow, json_event,
    reload_response, same_epoch,
};
use crate::http::sdk::guard::{StreamKey, too_many};
use crate::http::sdk::limits::Limits;
use crate::serving::Serving;
use crate::serving::client::subscribe;
use crate::serving::snapshot::{Published, changes};

/// The query of a stream.
#[derive(Deserialize)]
pub struct StreamQuery {
    #[serde(default)]
    token: String,
    since: Option<String>,
}

/// Opens a stream. An invalid key or token is reported as an event, because an `EventSource` cannot read an error response.
pub async fn stream(
    State(serving): State<Arc<Serving>>,
    State(limits): State<Arc<Limits>>,
    StreamKey(key): StreamKey,
    address: Address,
    query: Result<Query<StreamQuery>, Problem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if serving.node.drain.is_stopping() {
        return Ok(drain_response(&serving));
    }
    let (Some(key), Ok(Query(query))) = (key, query) else { return Ok(reload_response(&serving)) };
    let since = query.since.as_deref().and_then(Since::parse);
    let Some(subscription) = subscribe(&serving, &key, &query.token, since).await? else {
        return Ok(reload_response(&serving));
    };
    let Some(open) = limits.open_stream(&key.id, address) else {
        return Ok(too_many(RETRY_AFTER_TOO_MANY_STREAMS, "open streams"));
    };
    let access = Access::of_browser(&key, &headers, &subscription);
    let variants = match subscription.user {
        Some(user) => ClientVariants::KnownUser { user, since },
        None => ClientVariants::UnknownUser { since, loaded_at: subscription.loaded_at },
    };
    Ok(follow(serving, access, subscription.published, variants, open))
}

/// What the server knows about the client's variants.
enum ClientVariants {
    /// The user is known: changes are sent as patches.
    KnownUser {
        user: User,
        /// The version that the client has named, or was last sent.
        since: Option<Since>,
    },
    /// The user is too large for a token: events only signal that something changed.
    UnknownUser { since: Option<Since>, loaded_at: Instant },
}

impl StreamSource for ClientVariants {
    fn first_event(&mut self, serving: &Serving, now: &Published) -> Option<Event> {
        match self {
            Self::UnknownUser { since, loaded_at } => {
                let same_version = same_epoch(*since, now).is_some_and(|since| since.version == now.snapshot.version);
                let turn = now.snapshot.next_turn(*loaded_at);
                let current = same_version && turn.is_none_or(|turn| turn > now.at);
                (!current).then(|| event(serving, CHANGED, &Empty {}))
            }
            Self::KnownUser { user, since } => {
                let mut data = String::from("{");
                let current = now.snapshot.since(now.snapshot.write_values(user, now.at, &mut data));
                let known = same_epoch(since.replace(current), now);
                if known.is_some_and(|known| known.digest == current.digest) {
                    return None;
                }
                data.push('}');
                Some(json_event(serving, PUT, data, current))
            }
        }
    }

    fn next_event(&mut self, serving: &Serving, before: &Published, now: &Published) -> Option<Event> {
        match self {
            Self::UnknownUser { .. } => (before.snapshot.version != now.snapshot.version || before.at != now.at)
                .then(|| event(serving, CHANGED, &Empty {})),
            Self::KnownUser { user, since } => patch(serving, before, now, user, since),
        }
    }

    fn takes_long(&self, now: &Published) -> bool {
        match self {
            Self::UnknownUser { .. } => false,
            Self::KnownUser { user, .. } => now.snapshot.takes_long(user),
        }
    }
}

fn patch(
    serving: &Serving,
    before: &Published,
    now: &Published,
    user: &User,
    known: &mut Option<Since>,
) -> Option<Event> {
    let changes = changes(before, now, user, known.map_or(0, |known| known.digest));
    if changes.variants.is_empty() && changes.experiments.is_none() {
        return None;
    }
    let current = now.snapshot.since(changes.digest);
    *known = Some(current);
    let features =
        changes.variants.iter().map(|(key, variant)| (key.as_str(), variant.map(|key| key.as_str()))).collect();
    Some(event(serving, PATCH, &Patch { features, experiments: changes.experiments }).id(current.to_string()))
}

#[derive(Serialize)]
struct Patch<'a> {
    features: BTreeMap<&'a str, Option<&'a str>>,
    /// Only if they are other ones than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    experiments: Option<Vec<&'a str>>,
}
