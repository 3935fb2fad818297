//! Streams of server-sent events that follow an environment, whatever they tell of it: beats, a key that is revoked, a node that
//! stops.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use flagservice_core::Since;
use flagservice_core::wire::stream_event::{BEAT, RELOAD};
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Interval;

use crate::app::App;
use crate::app::serving::drain::{self, Stage};
use crate::app::serving::snapshot::{Published, SdkKeyRef};
use crate::http::sdk::limits::OpenStream;
use crate::metrics;

/// How often a beat is sent.
const BEAT_EVERY: Duration = Duration::from_secs(20);

/// When to come back after too many streams.
pub const RETRY_FULL: Duration = Duration::from_secs(30);

/// What a stream tells of its environment.
pub trait Telling: Send + 'static {
    /// What to send first: nothing when the client knows as much.
    fn opening(&mut self, app: &App, now: &Published) -> Option<Event>;

    /// What to send after the environment was published again: nothing when nothing changed for the client.
    fn next(&mut self, app: &App, before: &Published, now: &Published) -> Option<Event>;
}

/// The answer to a stream that cannot be: it has the client load again, and ends.
pub fn reload(app: &App) -> Response {
    answer(stream::iter([Ok(event(app, RELOAD, &Empty {}))]))
}

/// The answer of a node that stops: it sends the client away, and says when to come back.
pub fn send_away(app: &App) -> Response {
    answer(stream::iter([Ok(reload_after(app))]))
}

/// The answer that follows the environment as long as the key counts.
pub fn follow<T: Telling>(
    app: Arc<App>,
    key: &SdkKeyRef,
    mut published: watch::Receiver<Published>,
    telling: T,
    open: OpenStream,
) -> Response {
    let snapshot = Arc::clone(&published.borrow_and_update().snapshot);
    let known = Published { snapshot, at: app.now() };
    let beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT_EVERY, BEAT_EVERY);
    let (stage, counted) = (app.drain.stage(), app.metrics.stream(&key.environment_id));
    let key = key.clone();
    answer(events(Following { telling, key, published, known, beat, app, stage, ended: false, _open: (open, counted) }))
}

/// The point that a client has named, unless it is of another epoch than what it is compared with.
pub fn comparable(since: Option<Since>, now: &Published) -> Option<Since> {
    since.filter(|since| since.epoch == now.snapshot.epoch)
}

fn answer(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    // X-Accel-Buffering and no-transform keep proxies from holding events back.
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Sse::new(events)).into_response()
}

/// One open stream.
struct Following<T> {
    telling: T,
    /// The key that opened it: when it stops counting, the stream ends.
    key: SdkKeyRef,
    /// The environment as it is and will be.
    published: watch::Receiver<Published>,
    /// What the client was told of.
    known: Published,
    beat: Interval,
    app: Arc<App>,
    stage: watch::Receiver<Stage>,
    ended: bool,
    /// Count the stream as open.
    _open: (OpenStream, metrics::OpenStream),
}

impl<T: Telling> Following<T> {
    fn opening(&mut self) -> Option<Event> {
        // The key may have been revoked in the version that this node has just caught up with.
        self.end_with_key().or_else(|| self.telling.opening(&self.app, &self.known))
    }

    fn next(&mut self) -> Option<Event> {
        let mut now = self.published.borrow_and_update().clone();
        // A stream opened just before a time condition turned has already evaluated with a later time.
        now.at = now.at.max(self.known.at);
        let before = std::mem::replace(&mut self.known, now);
        self.end_with_key().or_else(|| self.telling.next(&self.app, &before, &self.known))
    }

    fn end_with_key(&mut self) -> Option<Event> {
        self.ended = !self.known.snapshot.keys.iter().any(|key| key.id == self.key.id);
        self.ended.then(|| event(&self.app, RELOAD, &Empty {}))
    }
}

fn events<T: Telling>(stream: Following<T>) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold((stream, true), |(mut stream, opening)| async move {
        if stream.ended {
            return None;
        }
        if opening && let Some(first) = stream.opening() {
            return Some((Ok(first), (stream, false)));
        }
        loop {
            let woken = tokio::select! {
                changed = stream.published.changed() => changed.map(|()| Woken::Published),
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
#[serde(rename_all = "camelCase")]
struct Return {
    after_ms: u64,
}

/// The data of an event that says all by its name.
#[derive(Serialize)]
pub struct Empty {}

fn reload_after(app: &App) -> Event {
    event(app, RELOAD, &Return { after_ms: u64::try_from(app.drain.return_after().as_millis()).unwrap_or(0) })
}

/// An event, counted.
pub fn event(app: &App, name: &'static str, data: &impl Serialize) -> Event {
    app.metrics.event(name);
    // The data are maps of texts, which always serialise.
    Event::default().event(name).json_data(data).unwrap_or_else(|_| Event::default().event(RELOAD).data("{}"))
}

/// An event whose data are JSON already, and after which the client knows another point.
pub fn written(app: &App, name: &'static str, data: impl AsRef<str>, since: Since) -> Event {
    app.metrics.event(name);
    Event::default().event(name).data(data).id(since.to_string())
}
