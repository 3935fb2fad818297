//! Streams of server-sent events that follow an environment: heartbeats, the end of access and draining nodes. What they send is up to
//! a [`StreamSource`].

use std::convert::Infallible;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{BEAT, RELOAD};
use flagservice_rules::Instant;
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Interval;

use crate::http::sdk::guard::allows_origin;
use crate::http::sdk::limits::OpenStream;
use crate::metrics;
use crate::node::drain::{self, Stage};
use crate::serving::Serving;
use crate::serving::client::{self, Subscription};
use crate::serving::snapshot::{EnvironmentSnapshot, Published};
use crate::serving::snapshots::SdkKeyRef;

/// The time between two heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(20);

/// When to retry after too many open streams.
pub const RETRY_AFTER_TOO_MANY_STREAMS: Duration = Duration::from_secs(30);

/// The events that a stream sends about its environment.
pub trait StreamSource: Send + 'static {
    /// The event for a client of which only is known what it has named or was last sent. `None` if it is up to date.
    fn first_event(&mut self, serving: &Serving, now: &Published) -> Option<Event>;

    /// The event for a new version of the environment. `None` if nothing changed for the client.
    fn next_event(&mut self, serving: &Serving, before: &Published, now: &Published) -> Option<Event>;

    /// Whether an event takes long to make, because it has to search texts for patterns.
    fn takes_long(&self, _now: &Published) -> bool {
        false
    }
}

/// The response to a stream that cannot be opened: it tells the client to load again, and ends.
pub fn reload_response(serving: &Serving) -> Response {
    event_response(stream::iter([Ok(event(serving, RELOAD, &Empty {}))]))
}

/// The response of a draining node: it tells the client when to reconnect, and ends.
pub fn drain_response(serving: &Serving) -> Response {
    event_response(stream::iter([Ok(reload_after(serving))]))
}

/// What allows a stream to be open: its key, and for a browser the origin of its page and the token.
pub struct Access {
    key: SdkKeyRef,
    /// `None` for a caller that is no page.
    origin: Option<Box<[u8]>>,
    /// When the token expires. `None` for a service, which has no token.
    expires_at: Option<Instant>,
}

impl Access {
    /// A service with a server key.
    pub fn of_service(key: &SdkKeyRef) -> Self {
        Self { key: key.clone(), origin: None, expires_at: None }
    }

    /// A browser with a client key and a token.
    pub fn of_browser(key: &SdkKeyRef, headers: &HeaderMap, subscription: &Subscription) -> Self {
        let origin = headers.get(header::ORIGIN).map(|origin| origin.as_bytes().into());
        Self { key: key.clone(), origin, expires_at: Some(subscription.expires_at) }
    }

    /// Whether the environment still has the key and allows the origin.
    fn is_in(&self, environment: &EnvironmentSnapshot) -> bool {
        let has_key = || environment.keys.iter().any(|key| key.id == self.key.id);
        self.origin.as_deref().is_none_or(|origin| allows_origin(environment, origin)) && has_key()
    }

    fn has_expired(&self, now: Instant) -> bool {
        self.expires_at.is_some_and(|expires_at| expires_at <= now)
    }
}

/// The response that follows the environment while its access lasts.
pub fn follow<T: StreamSource>(
    serving: Arc<Serving>,
    access: Access,
    published: watch::Receiver<Published>,
    source: T,
    open: OpenStream,
) -> Response {
    let heartbeat = tokio::time::interval_at(tokio::time::Instant::now() + HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL);
    let (stage, counted) = (serving.node.drain.subscribe(), serving.metrics.stream(&access.key.environment_id));
    event_response(events(Box::new(EnvironmentStream {
        source,
        access,
        published,
        known: None,
        at: serving.now(),
        heartbeat,
        serving,
        stage,
        ended: false,
        _open: (open, counted),
    })))
}

/// The version that a client has named, if it is of the current epoch.
pub fn same_epoch(since: Option<Since>, now: &Published) -> Option<Since> {
    since.filter(|since| since.epoch == now.snapshot.epoch)
}

/// A response of events that no proxy buffers.
pub fn event_response(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    // X-Accel-Buffering and no-transform keep proxies from buffering events.
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Sse::new(events)).into_response()
}

/// One open stream.
struct EnvironmentStream<T> {
    source: T,
    /// What opened it. The stream ends when the key is revoked, the origin is no longer allowed, or the token expires.
    access: Access,
    /// The environment, with all later versions.
    published: watch::Receiver<Published>,
    /// The version that the client was last informed about, unless it has been forgotten because many more followed. `None` before
    /// the first event.
    known: Option<(Weak<EnvironmentSnapshot>, Instant)>,
    /// The instant for which it was last evaluated. A stream that was opened just before a time condition changed has evaluated with
    /// a later time than the environment was published for.
    at: Instant,
    heartbeat: Interval,
    serving: Arc<Serving>,
    stage: watch::Receiver<Stage>,
    ended: bool,
    /// Count the stream as open.
    _open: (OpenStream, metrics::OpenStream),
}

impl<T: StreamSource> EnvironmentStream<T> {
    /// The event for the current version of the environment. `None` if nothing changed for the client.
    fn event(&mut self) -> Option<Event> {
        let mut now = self.published.borrow_and_update().clone();
        now.at = now.at.max(self.at);
        self.at = now.at;
        // The key may have been revoked in a version that this node has just caught up with.
        self.ended = !self.access.is_in(&now.snapshot);
        if self.ended {
            return Some(event(&self.serving, RELOAD, &Empty {}));
        }
        let known = self.known.replace((Arc::downgrade(&now.snapshot), now.at));
        match known.and_then(|(snapshot, at)| Some(Published { snapshot: snapshot.upgrade()?, at })) {
            None => self.source.first_event(&self.serving, &now),
            Some(before) => self.source.next_event(&self.serving, &before, &now),
        }
    }
}

/// Makes an event: at once, or on a thread of its own if that takes long. `None` if it fails.
async fn made<T: StreamSource>(
    mut stream: Box<EnvironmentStream<T>>,
) -> Option<(Box<EnvironmentStream<T>>, Option<Event>)> {
    if !stream.source.takes_long(&stream.published.borrow()) {
        let event = stream.event();
        return Some((stream, event));
    }
    let serving = Arc::clone(&stream.serving);
    let work = move || {
        let event = stream.event();
        (stream, event)
    };
    // In a box, because streams that do not take long need no room for it.
    Box::pin(client::long_work(&serving, work)).await.ok()
}

/// In a box, because the future has a place for each of its moves.
fn events<T: StreamSource>(stream: Box<EnvironmentStream<T>>) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold((stream, true), |(mut stream, opening)| async move {
        if stream.ended {
            return None;
        }
        if opening {
            let (opened, first) = made(stream).await?;
            stream = opened;
            if let Some(first) = first {
                return Some((Ok(first), (stream, false)));
            }
        }
        loop {
            let wakeup = tokio::select! {
                changed = stream.published.changed() => changed.map(|()| Wakeup::Published),
                () = drain::begun(&mut stream.stage) => Ok(Wakeup::Stopping),
                _ = stream.heartbeat.tick() => Ok(Wakeup::Heartbeat),
            };
            let event = match wakeup {
                Ok(Wakeup::Published) => {
                    let (followed, event) = made(stream).await?;
                    stream = followed;
                    event
                }
                Ok(Wakeup::Stopping) => {
                    stream.ended = true;
                    Some(reload_after(&stream.serving))
                }
                Ok(Wakeup::Heartbeat) if stream.access.has_expired(stream.serving.now()) => {
                    stream.ended = true;
                    Some(event(&stream.serving, RELOAD, &Empty {}))
                }
                Ok(Wakeup::Heartbeat) => {
                    stream.serving.note_use(&stream.access.key);
                    Some(event(&stream.serving, BEAT, &Empty {}))
                }
                // The environment was deleted.
                Err(_) => return None,
            };
            if let Some(event) = event {
                return Some((Ok(event), (stream, false)));
            }
        }
    })
}

/// What wakes a stream.
enum Wakeup {
    Published,
    Stopping,
    Heartbeat,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReloadDelay {
    after_ms: u64,
}

/// The data of an event without data.
#[derive(Serialize)]
pub struct Empty {}

/// The event of a draining node: it tells the client when to reconnect.
pub fn reload_after(serving: &Serving) -> Event {
    event(
        serving,
        RELOAD,
        &ReloadDelay { after_ms: u64::try_from(serving.node.drain.return_after().as_millis()).unwrap_or(0) },
    )
}

/// Creates an event and counts it.
pub fn event(serving: &Serving, name: &'static str, data: &impl Serialize) -> Event {
    serving.metrics.event(name);
    // The data are maps of strings, which always serialise.
    Event::default().event(name).json_data(data).unwrap_or_else(|_| Event::default().event(RELOAD).data("{}"))
}

/// Creates an event from JSON, and counts it.
pub fn text_event(serving: &Serving, name: &'static str, data: impl AsRef<str>) -> Event {
    serving.metrics.event(name);
    Event::default().event(name).data(data)
}

/// Creates an event from JSON, with the version that the client has afterwards, and counts it.
pub fn json_event(serving: &Serving, name: &'static str, data: impl AsRef<str>, since: Since) -> Event {
    text_event(serving, name, data).id(since.to_string())
}
