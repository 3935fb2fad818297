//! Stopping: requests are finished, streams are told when to reconnect, and the process exits.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flagservice_server::http::Settings;
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::fixture::{
    Database, EventStream, HANG_TIMEOUT, Server, ServerProcess, on_each_database, on_sqlite, targeting_of,
};

/// The value of `--drain-spread`.
const SPREAD_SECONDS: u64 = 5;

const STREAMS: usize = 20;
const WORKERS: usize = 6;

/// What a server sends when it begins to read the body of a request that expects it.
const CONTINUE: &str = "HTTP/1.1 100 Continue\r\n\r\n";

/// How many requests each worker has sent when the signal arrives.
const REQUESTS_BEFORE_STOP: usize = 20;

async fn start(database: &Database) -> ServerProcess {
    // All workers have the same address and exceed its default limit.
    ServerProcess::start_with(
        database,
        &["--drain-spread", &SPREAD_SECONDS.to_string(), "--requests-per-second", "100000"],
    )
    .await
}

/// Reads until `reload`, which must be the last event, and returns when the client should reconnect.
async fn read_until_reload(mut stream: EventStream) -> u64 {
    loop {
        let event = stream.next_event().await;
        if event.name == "reload" {
            stream.expect_end().await;
            return event.data["afterMs"].as_u64().unwrap_or_else(|| panic!("afterMs of {event:?}"));
        }
        assert_eq!(event.name, "patch", "{event:?}");
    }
}

/// What the workers have in common.
#[derive(Default)]
struct Load {
    /// How many requests were answered.
    answered: AtomicUsize,
    /// A time just before the server was asked to stop.
    stopped_at: OnceLock<Instant>,
}

impl Load {
    /// Whether the server may close connections on which it has received no request. It accepts connections for `leave_for`, and waits
    /// for their requests for as long again. Requests of this test take far less, so one that fails before is aborted, and one that
    /// fails after that was not sent in time: the worker had no processor.
    fn has_waited_for_requests(&self) -> bool {
        let wait = 2 * Settings::default().leave_for;
        self.stopped_at.get().is_some_and(|stopped_at| stopped_at.elapsed() >= wait)
    }
}

/// Sends requests until the server accepts no more connections. Every request that is sent until then must get a response.
async fn send_requests(server: &ServerProcess, worker: usize, load: &Load) {
    let (browser, editor) = (server.browser("production"), server.production_editor());
    let path = targeting_of("search-suggestions", "production");
    for number in 0.. {
        let request = if worker == 0 {
            editor.request(reqwest::Method::PATCH, &path).json(&json!({ "enabled": number % 2 == 1 }))
        } else {
            browser.request(reqwest::Method::POST, "/load").body(r#"{"user": {"id": "alice"}}"#)
        };
        let request = request.header("content-type", if worker == 0 { "application/json" } else { "text/plain" });
        match request.send().await {
            Ok(response) => {
                assert_eq!(response.status(), 200, "worker {worker}, request {number}");
                response.bytes().await.unwrap_or_else(|error| panic!("worker {worker}, request {number}: {error:?}"));
                load.answered.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) if error.is_connect() || load.has_waited_for_requests() => return,
            Err(error) => panic!("worker {worker}, request {number} was aborted: {error:?}"),
        }
    }
}

#[apply(on_each_database)]
async fn stopping_under_load_aborts_no_request_and_spreads_the_reconnects_of_streams(database: Database) {
    let mut server = start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let streams = join_all((0..STREAMS).map(|_| browser.open(&loaded))).await;
    let load = Load::default();
    let sending = join_all((0..WORKERS).map(|worker| send_requests(&server, worker, &load)));
    let stop = async {
        while load.answered.load(Ordering::Relaxed) < WORKERS * REQUESTS_BEFORE_STOP {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        load.stopped_at.set(Instant::now()).unwrap();
        server.terminate();
    };
    let (_, (), times) = tokio::join!(sending, stop, join_all(streams.into_iter().map(read_until_reload)));
    assert_eq!(timeout(HANG_TIMEOUT, server.exit_code()).await.expect("the process exits"), Some(0));

    let different: BTreeSet<_> = times.iter().copied().collect();
    assert_eq!(different.len(), STREAMS, "{times:?}");
    assert!(different.iter().all(|after| *after < SPREAD_SECONDS * 1000), "{times:?}");
    let halves = different.iter().filter(|after| **after < SPREAD_SECONDS * 500).count();
    assert!((STREAMS / 4..=STREAMS * 3 / 4).contains(&halves), "{times:?}");
    assert!(server.stop().await.contains("\"stopped\""));
}

/// A load request with an incomplete body, which the server has begun to read.
async fn start_load(server: &ServerProcess, database: &Database) -> TcpStream {
    let mut stream = TcpStream::connect(server.socket_address()).await.unwrap();
    let key = &database.credentials().client_keys["production"];
    let head =
        format!("POST /client/v1/{key}/load HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 25");
    stream.write_all(format!("{head}\r\nExpect: 100-continue\r\n\r\n").as_bytes()).await.unwrap();
    let mut response = [0; CONTINUE.len()];
    stream.read_exact(&mut response).await.unwrap();
    assert_eq!(str::from_utf8(&response), Ok(CONTINUE));
    stream.write_all(b"{\"user\":").await.unwrap();
    stream
}

/// Waits until connections are refused.
async fn closed(server: &ServerProcess) {
    while TcpStream::connect(server.socket_address()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[apply(on_each_database)]
async fn a_request_in_progress_finishes_after_the_listener_is_closed(database: Database) {
    let mut server = start(&database).await;
    let mut request = start_load(&server, &database).await;
    server.terminate();
    timeout(HANG_TIMEOUT, closed(&server)).await.expect("the listener closes");
    request.write_all(b" {\"id\": \"alice\"}}").await.unwrap();
    let mut response = String::new();
    timeout(HANG_TIMEOUT, request.read_to_string(&mut response)).await.expect("a response").unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.contains("\"search-suggestions\":\"on\""), "{response}");
    assert_eq!(timeout(HANG_TIMEOUT, server.exit_code()).await.expect("the process exits"), Some(0));
}

#[apply(on_each_database)]
async fn a_stopping_server_is_not_ready(database: Database) {
    let settings = Settings { leave_for: Duration::from_mins(5), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    server.anonymous().get("/health/ready").await.ok(200);
    server.app.node.drain.leave(Duration::ZERO);
    server.anonymous().get("/health/ready").await.problem(503, "stopping");
}

#[apply(on_each_database)]
async fn a_second_signal_ends_the_server_at_once(database: Database) {
    let mut server = start(&database).await;
    // Delays the exit.
    let _request = start_load(&server, &database).await;
    server.terminate();
    timeout(HANG_TIMEOUT, closed(&server)).await.expect("the listener closes");
    server.terminate();
    let code = timeout(HANG_TIMEOUT, server.exit_code()).await.expect("the process exits");
    assert_eq!(code, Some(1));
}

#[apply(on_sqlite)]
async fn a_second_signal_ends_the_server_at_once_also_when_all_requests_are_finished(database: Database) {
    let mut server = start(&database).await;
    // Nobody else can write now, and the server wants to write the last use of the client key before it exits.
    let mut other = SqliteConnection::connect(database.url()).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let mut request = start_load(&server, &database).await;
    request.write_all(b" {\"id\": \"alice\"}}").await.unwrap();
    let mut status = [0; "HTTP/1.1 200".len()];
    timeout(HANG_TIMEOUT, request.read_exact(&mut status)).await.expect("a response").unwrap();
    assert_eq!(str::from_utf8(&status), Ok("HTTP/1.1 200"));
    drop(request);
    let mut idle = TcpStream::connect(server.socket_address()).await.unwrap();
    server.terminate();
    // The server closes it when it no longer waits for requests.
    timeout(HANG_TIMEOUT, idle.read_to_string(&mut String::new())).await.expect("the connection closes").unwrap();
    // Nothing shows when it has counted that connection as closed.
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.terminate();
    let code = timeout(HANG_TIMEOUT, server.exit_code()).await.expect("the process exits");
    assert_eq!(code, Some(1));
}
