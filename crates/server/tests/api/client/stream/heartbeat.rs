//! The heartbeat of a stream, with tokio's paused clock.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use futures_util::{Stream, StreamExt as _};
use sse_stream::{Sse, SseStream};
use tokio::time::Instant;
use tower::ServiceExt as _;

use crate::fixture::{Contents, Database, Engine, NOW, Server};

/// How long a stream token is valid, in milliseconds.
const TWELVE_HOURS: i64 = 12 * 60 * 60 * 1000;

/// Opens a stream without a socket, because I/O on one does not advance the paused clock.
async fn open(server: &Server, database: &Database) -> impl Stream<Item = Sse> + use<> {
    let loaded = server.browser("production").load_id("alice").await;
    let key = &database.credentials().client_keys["production"];
    let path = format!("/client/v1/{key}/stream?token={}&since={}", loaded.token, loaded.since);
    tokio::time::pause();
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = server.router().oneshot(request).await.unwrap();
    SseStream::from_bytes_stream(response.into_body().into_data_stream()).map(Result::unwrap)
}

#[tokio::test]
async fn a_heartbeat_is_sent_every_twenty_seconds() {
    let database = Database::new(Engine::Sqlite, Contents::Demo).await;
    let server = Server::start(&database).await;
    let mut events = open(&server, &database).await;
    let opened = Instant::now();
    for beat in 1..=3 {
        let event = events.next().await.unwrap();
        assert_eq!(event.event.as_deref(), Some("beat"));
        assert_eq!(event.data.as_deref(), Some("{}"));
        assert_eq!(opened.elapsed().as_secs(), Duration::from_secs(20 * beat).as_secs());
    }
}

#[tokio::test]
async fn a_stream_ends_with_a_reload_at_the_first_heartbeat_after_its_token_expires() {
    let database = Database::new(Engine::Sqlite, Contents::Demo).await;
    let server = Server::start(&database).await;
    let mut events = open(&server, &database).await;
    server.clock.set(flagservice_rules::Instant(NOW.0 + TWELVE_HOURS - 1));
    assert_eq!(events.next().await.unwrap().event.as_deref(), Some("beat"));
    server.clock.set(flagservice_rules::Instant(NOW.0 + TWELVE_HOURS));
    let last = events.next().await.unwrap();
    assert_eq!((last.event.as_deref(), last.data.as_deref()), (Some("reload"), Some("{}")));
    assert!(events.next().await.is_none());
}
