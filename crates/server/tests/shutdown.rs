//! A server that is told to stop: requests are done, streams are told when to come back, and the process ends.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::fixture::{Binary, Database, EventStream, on_each_database, targeting_of};

/// The announced time, in seconds.
const SPREAD: u64 = 5;

/// How long the process may take to end when nobody holds it up.
const GONE_WITHIN: Duration = Duration::from_secs(10);

const STREAMS: usize = 20;
const WORKERS: usize = 6;

/// How many requests each has had answered when the signal comes.
const WARM: usize = 20;

async fn start(database: &Database) -> Binary {
    // The workers are one address, and ask more than one may.
    Binary::start_with(database, &["--drain-spread", &SPREAD.to_string(), "--requests-per-second", "100000"]).await
}

/// When the client is told to come back; nothing comes after that.
async fn sent_away(mut stream: EventStream) -> u64 {
    loop {
        let event = stream.next_event().await;
        if event.name == "reload" {
            stream.end().await;
            return event.data["afterMs"].as_u64().unwrap_or_else(|| panic!("afterMs of {event:?}"));
        }
        assert!(["patch", "beat"].contains(&event.name.as_str()), "{event:?}");
    }
}

/// Sends one request after the other until the server takes no more connections; every one of them must be answered.
async fn ask_on(server: &Binary, worker: usize, answered: &AtomicUsize) {
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
            Ok(answer) => {
                assert_eq!(answer.status(), 200, "worker {worker}, request {number}");
                answer.bytes().await.unwrap_or_else(|error| panic!("worker {worker}, request {number}: {error:?}"));
                answered.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) if error.is_connect() => return,
            Err(error) => panic!("worker {worker}, request {number} was cut off: {error:?}"),
        }
    }
}

#[apply(on_each_database)]
async fn stopping_under_load_aborts_no_request_and_spreads_the_reconnects_of_streams(database: Database) {
    let mut server = start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let streams = join_all((0..STREAMS).map(|_| browser.open(&loaded))).await;
    let answered = AtomicUsize::new(0);
    let asking = join_all((0..WORKERS).map(|worker| ask_on(&server, worker, &answered)));
    let stop = async {
        while answered.load(Ordering::Relaxed) < WORKERS * WARM {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.signal("TERM").await;
    };
    let (_, (), times) = tokio::join!(asking, stop, join_all(streams.into_iter().map(sent_away)));
    assert_eq!(timeout(GONE_WITHIN, server.exit_code()).await.expect("the process ends"), Some(0));

    let different: BTreeSet<_> = times.iter().copied().collect();
    assert_eq!(different.len(), STREAMS, "{times:?}");
    assert!(different.iter().all(|after| *after < SPREAD * 1000), "{times:?}");
    let halves = different.iter().filter(|after| **after < SPREAD * 500).count();
    assert!((STREAMS / 4..=STREAMS * 3 / 4).contains(&halves), "{times:?}");
    assert!(server.stop().await.contains("\"stopped\""));
}

/// A load whose body has not come yet.
async fn half_a_load(server: &Binary, database: &Database) -> TcpStream {
    let mut stream = TcpStream::connect(server.listens_on()).await.unwrap();
    let key = &database.credentials().client_keys["production"];
    let head =
        format!("POST /client/v1/{key}/load HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 25");
    stream.write_all(format!("{head}\r\n\r\n{{\"user\":").as_bytes()).await.unwrap();
    // The server has begun with it once it answers what was sent later.
    server.browser("production").load_id("alice").await;
    stream
}

/// Waits until nobody can connect any more.
async fn closed(server: &Binary) {
    while TcpStream::connect(server.listens_on()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[apply(on_each_database)]
async fn a_request_in_progress_finishes_after_the_listener_is_closed(database: Database) {
    let mut server = start(&database).await;
    let mut request = half_a_load(&server, &database).await;
    server.signal("TERM").await;
    timeout(GONE_WITHIN, closed(&server)).await.expect("the doors are closed");
    request.write_all(b" {\"id\": \"alice\"}}").await.unwrap();
    let mut answer = String::new();
    timeout(GONE_WITHIN, request.read_to_string(&mut answer)).await.expect("an answer").unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("\"search-suggestions\":\"on\""), "{answer}");
    assert_eq!(timeout(GONE_WITHIN, server.exit_code()).await.expect("the process ends"), Some(0));
}

#[apply(on_each_database)]
async fn a_stopping_server_is_not_ready_and_a_second_signal_ends_it_at_once(database: Database) {
    let mut server = start(&database).await;
    // Holds it up for as long as it may.
    let _request = half_a_load(&server, &database).await;
    let anybody = server.anonymous_with("");
    anybody.get("/health/ready").await.ok(200);
    server.signal("TERM").await;
    let stopping = async {
        loop {
            let answer = anybody.get("/health/ready").await;
            if answer.status != 200 {
                break answer;
            }
        }
    };
    timeout(GONE_WITHIN, stopping).await.expect("it says so").problem(503, "stopping");
    timeout(GONE_WITHIN, closed(&server)).await.expect("the doors are closed");
    server.signal("TERM").await;
    let code = timeout(GONE_WITHIN, server.exit_code()).await.expect("the process ends");
    assert_eq!(code, Some(1));
}
