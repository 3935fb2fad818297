//! The heartbeat of a stream, with tokio's paused clock.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use futures_util::StreamExt as _;
use sse_stream::SseStream;
use tokio::time::Instant;
use tower::ServiceExt as _;

use crate::fixture::{Contents, Database, Engine, Server};

#[tokio::test]
async fn a_heartbeat_is_sent_every_twenty_seconds() {
    let database = Database::new(Engine::Sqlite, Contents::Demo).await;
    let server = Server::start(&database).await;
    let loaded = server.browser("production").load_id("alice").await;
    let key = &database.credentials().client_keys["production"];
    let path = format!("/client/v1/{key}/stream?token={}&since={}", loaded.token, loaded.since);

    tokio::time::pause();
    // Without a socket, because I/O on one does not advance the paused clock.
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = server.router().oneshot(request).await.unwrap();
    let mut events = SseStream::from_bytes_stream(response.into_body().into_data_stream());
    let opened = Instant::now();
    for beat in 1..=3 {
        let event = events.next().await.unwrap().unwrap();
        assert_eq!(event.event.as_deref(), Some("beat"));
        assert_eq!(event.data.as_deref(), Some("{}"));
        assert_eq!(opened.elapsed().as_secs(), Duration::from_secs(20 * beat).as_secs());
    }
}
