//! `GET /stream`: changes of a user's values as server-sent events, as soon as they happen.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{BEAT, CHANGED, PATCH, PUT, RELOAD};
use flagservice_rules::User;
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Interval;

use super::guard::{StreamKey, too_many};
use super::limits::{Limits, OpenStream};
use crate::app::App;
use crate::app::client::{Subscription, subscribe};
use crate::app::drain::{self, Stage};
use crate::app::snapshot::{Published, changes};
use crate::http::address::Address;
use crate::http::parameters::Query;
use crate::http::problem::Problem;
use crate::metrics;

/// How often a beat is sent.
const BEAT_EVERY: Duration = Duration::from_secs(20);

/// When to come back after too many streams.
const RETRY_FULL: Duration = Duration::from_secs(30);

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
        return Ok(answer(stream::iter([Ok(reload_after(&app))])));
    }
    let (Some(key), Ok(Query(query))) = (key, query) else { return Ok(reload(&app)) };
    let since = query.since.as_deref().and_then(Since::parse);
    let Some(subscription) = subscribe(&app, &key, &query.token, since).await? else { return Ok(reload(&app)) };
    let Some(open) = limits.stream(&key.id, address) else { return Ok(too_many(RETRY_FULL, "open streams")) };
    Ok(answer(follow(UserStream::new(app, subscription, since, open))))
}

/// A stream that has the client load again, and ends.
fn reload(app: &App) -> Response {
    answer(stream::iter([Ok(event(app, RELOAD, &Empty {}))]))
}

/// Sends a client away from a node that stops, and says when to come back.
fn reload_after(app: &App) -> Event {
    event(app, RELOAD, &Return { after_ms: u64::try_from(app.drain.return_after().as_millis()).unwrap_or(0) })
}

fn answer(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    // X-Accel-Buffering and no-transform keep proxies from holding events back.
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Sse::new(events)).into_response()
}

/// One open stream: what its client knows, and what may change that.
struct UserStream {
    subscription: Subscription,
    /// What the client's values were evaluated from.
    known: Published,
    /// The point that the client has named.
    since: Option<Since>,
    /// Of the client's values, once they have been compared or sent.
    digest: u64,
    beat: Interval,
    app: Arc<App>,
    stage: watch::Receiver<Stage>,
    ended: bool,
    /// Count the stream as open.
    _open: (OpenStream, metrics::OpenStream),
}

impl UserStream {
    fn new(app: Arc<App>, mut subscription: Subscription, since: Option<Since>, open: OpenStream) -> Self {
        let snapshot = Arc::clone(&subscription.published.borrow_and_update().snapshot);
        let known = Published { snapshot, at: app.now() };
        let since = since.filter(|since| since.epoch == known.snapshot.epoch);
        let beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT_EVERY, BEAT_EVERY);
        let stage = app.drain.stage();
        let counted = app.metrics.stream(&subscription.client_key.environment_id);
        Self { subscription, known, since, digest: 0, beat, app, stage, ended: false, _open: (open, counted) }
    }

    /// What to send first: nothing when the client's values are right.
    fn opening(&mut self) -> Option<Event> {
        // The key may have been revoked in the version that this node has just caught up with.
        if let Some(end) = self.end_with_key() {
            return Some(end);
        }
        let Some(user) = &self.subscription.user else {
            let same_version = self.since.is_some_and(|since| since.version == self.known.snapshot.version);
            let turn = self.known.snapshot.next_turn(self.subscription.loaded_at);
            let current = same_version && turn.is_none_or(|turn| turn > self.known.at);
            return (!current).then(|| event(&self.app, CHANGED, &Empty {}));
        };
        let mut data = String::from("{\"features\":");
        self.digest = self.known.snapshot.write_values(user, self.known.at, &mut data);
        if self.since.is_some_and(|since| since.digest == self.digest) {
            return None;
        }
        data.push('}');
        let since = self.known.snapshot.since(self.digest);
        self.app.metrics.event(PUT);
        Some(Event::default().event(PUT).data(data).id(since.to_string()))
    }

    /// What to send after the environment was published again: nothing when no value of this user changed.
    fn next(&mut self) -> Option<Event> {
        let mut now = self.subscription.published.borrow_and_update().clone();
        // A stream opened just before a time condition turned has already evaluated with a later time.
        now.at = now.at.max(self.known.at);
        let known = std::mem::replace(&mut self.known, now);
        if let Some(end) = self.end_with_key() {
            return Some(end);
        }
        match &self.subscription.user {
            None => (known.snapshot.version != self.known.snapshot.version || known.at != self.known.at)
                .then(|| event(&self.app, CHANGED, &Empty {})),
            Some(user) => patch(&self.app, &known, &self.known, user, &mut self.digest),
        }
    }

    /// Ends the stream when the key that opened it does not count any more.
    fn end_with_key(&mut self) -> Option<Event> {
        self.ended = !self.known.snapshot.client_keys.iter().any(|(_, id)| *id == self.subscription.client_key.id);
        self.ended.then(|| event(&self.app, RELOAD, &Empty {}))
    }
}

fn patch(app: &App, known: &Published, now: &Published, user: &User, digest: &mut u64) -> Option<Event> {
    let changes = changes(known, now, user, *digest);
    if changes.variants.is_empty() {
        return None;
    }
    *digest = changes.digest;
    let features =
        changes.variants.iter().map(|(key, variant)| (key.as_str(), variant.map(|key| key.as_str()))).collect();
    Some(event(app, PATCH, &Features { features }).id(now.snapshot.since(changes.digest).to_string()))
}

fn follow(stream: UserStream) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold((stream, true), |(mut stream, opening)| async move {
        if stream.ended {
            return None;
        }
        if opening && let Some(first) = stream.opening() {
            return Some((Ok(first), (stream, false)));
        }
        loop {
            let woken = tokio::select! {
                changed = stream.subscription.published.changed() => changed.map(|()| Woken::Published),
                () = drain::begun(&mut stream.stage) => Ok(Woken::Stopping),
                _ = stream.beat.tick() => Ok(Woken::Beat),
            };
            let event = match woken {
                Ok(Woken::Published) => stream.next(),
                Ok(Woken::Stopping) => {
                    stream.ended = true;
                    Some(reload_after(&stream.app))
                }
                Ok(Woken::Beat) => Some(event(&stream.app, BEAT, &Empty {})),
                // The environment is gone.
                Err(_) => return None,
            };
            if let Some(event) = event {
                return Some((Ok(event), (stream, false)));
            }
        }
    })
}

/// What a stream waits for.
enum Woken {
    Published,
    Stopping,
    Beat,
}

#[derive(Serialize)]
struct Features<'a> {
    features: BTreeMap<&'a str, Option<&'a str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Return {
    after_ms: u64,
}

#[derive(Serialize)]
struct Empty {}

fn event(app: &App, name: &'static str, data: &impl Serialize) -> Event {
    app.metrics.event(name);
    // The data are maps of texts, which always serialise.
    Event::default().event(name).json_data(data).unwrap_or_else(|_| Event::default().event(RELOAD).data("{}"))
}
