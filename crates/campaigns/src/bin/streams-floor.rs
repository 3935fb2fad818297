//! The minimum cost of server-sent events with axum: streams with a heartbeat, and one event to all of them on demand. The
//! campaign `streams` compares the server with it.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use tokio::sync::watch;
use tokio::time::{Instant, Interval};

/// The same allocator as the server, so that only the streams differ.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(20);

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
    let heartbeat = tokio::time::interval_at(Instant::now() + HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL);
    Sse::new(stream::unfold((sender.subscribe(), heartbeat), next_event))
}

type OpenStream = (watch::Receiver<u64>, Interval);

async fn next_event((mut changes, mut heartbeat): OpenStream) -> Option<(Result<Event, Infallible>, OpenStream)> {
    let event = tokio::select! {
        changed = changes.changed() => {
            changed.ok()?;
            let number = *changes.borrow_and_update();
            Event::default().event("patch").data(format!("{{\"features\":{{\"new-checkout\":\"{number}\"}}}}"))
        }
        _ = heartbeat.tick() => Event::default().event("beat").data("{}"),
    };
    Some((Ok(event), (changes, heartbeat)))
}
