//! The least that a stream of server-sent events costs with axum: one that only beats, and one event to all of them on
//! demand. The campaign `streams` measures the server against it.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use tokio::sync::watch;
use tokio::time::{Instant, Interval};

/// Loopback is fast enough for the system's allocator; both have the same one, so that only the streams differ.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BEAT_EVERY: Duration = Duration::from_secs(20);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7399".to_owned());
    let sender = watch::Sender::new(0_u64);
    let router = Router::new()
        .route("/health/ready", get(|| async { "ready" }))
        .route("/stream", get(open))
        .route(
            "/change",
            post(|State(sender): State<watch::Sender<u64>>| async move { sender.send_modify(|n| *n += 1) }),
        )
        .with_state(sender);
    let listener = tokio::net::TcpListener::bind(address).await?;
    Ok(axum::serve(listener, router).await?)
}

async fn open(State(sender): State<watch::Sender<u64>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let beat = tokio::time::interval_at(Instant::now() + BEAT_EVERY, BEAT_EVERY);
    Sse::new(stream::unfold((sender.subscribe(), beat), next))
}

type Open = (watch::Receiver<u64>, Interval);

async fn next((mut changes, mut beat): Open) -> Option<(Result<Event, Infallible>, Open)> {
    let event = tokio::select! {
        changed = changes.changed() => {
            changed.ok()?;
            Event::default().event("patch").data(format!("{{\"features\":{{\"new-checkout\":\"{}\"}}}}", *changes.borrow_and_update()))
        }
        _ = beat.tick() => Event::default().event("beat").data("{}"),
    };
    Some((Ok(event), (changes, beat)))
}
