//! Failures of a destination: how many requests it gets, what is recorded, and what is shown.

use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::{create, integration, read, settled, start};
use crate::fixture::{Reply, Server, on_each_database, outbound, self_signed};

/// The behaviour of a destination, and the expected result.
struct Row {
    does: &'static str,
    replies: Vec<Reply>,
    /// The requested paths below `/api/3/`.
    seen_requests: &'static [&'static str],
    /// The status of each attempt; 0 if there was no response.
    statuses: &'static [u16],
    delivered: bool,
    /// The beginning of the latest result.
    shown: &'static str,
}

const ONCE: &[&str] = &["annotations"];
const TWICE: &[&str] = &["annotations", "annotations"];
const WITH_CATEGORY: &[&str] = &["annotations", "annotation-categories", "annotations"];

fn says(status: &str, text: &str) -> Reply {
    Reply::status(status, "", text)
}

fn head(status: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nTransfer-Encoding: chunked\r\n\r\n").into()
}

#[rustfmt::skip]
fn table() -> Vec<Row> {
    let error = || says("500 Internal Server Error", "{\"error\":\"oops\"}");
    let row = |does, replies, seen_requests, statuses, delivered, shown| Row { does, replies, seen_requests, statuses, delivered, shown };
    vec![
        row("200", vec![Reply::ok()], ONCE, &[200], true, "200 OK"),
        row("201", vec![says("201 Created", "{}")], ONCE, &[201], true, "201 Created"),
        row("204", vec![Reply::status("204 No Content", "", "")], ONCE, &[204], true, "204 No Content"),
        row("301: not followed", vec![Reply::status("301 Moved Permanently", "Location: /api/3/elsewhere\r\n", ""); 2], TWICE, &[301, 301], false, "301 Moved Permanently. Redirects are not followed"),
        row("307: not followed", vec![Reply::status("307 Temporary Redirect", "Location: /api/3/elsewhere\r\n", ""); 2], TWICE, &[307, 307], false, "307 Temporary Redirect. Redirects are not followed"),
        row("400", vec![says("400 Bad Request", "{\"error\":\"no\n label\"}"); 2], TWICE, &[400, 400], false, "400 Bad Request: {\"error\":\"no label\"}"),
        row("401: the wrong region", vec![says("401 Unauthorized", "bad credentials"); 2], TWICE, &[401, 401], false, "401 Unauthorized: bad credentials – Check both keys, and that the region"),
        row("404: no category yet", vec![says("404 Not Found", "no category"), Reply::ok(), Reply::ok()], WITH_CATEGORY, &[404, 200], true, "200 OK"),
        row("404, and somebody has created it", vec![says("404 Not Found", "no category"), says("409 Conflict", "exists"), Reply::ok()], WITH_CATEGORY, &[404, 200], true, "200 OK"),
        row("404, and it cannot be created", vec![says("404 Not Found", "no category"), says("403 Forbidden", "no")], &["annotations", "annotation-categories"], &[404, 403], false, "The category could not be created: 403 Forbidden: no"),
        row("404, and again", vec![says("404 Not Found", "nothing"), Reply::ok(), says("404 Not Found", "nothing")], WITH_CATEGORY, &[404, 404], false, "404 Not Found: nothing"),
        row("409", vec![says("409 Conflict", "twice"); 2], TWICE, &[409, 409], false, "409 Conflict: twice"),
        row("429 with Retry-After, then 200", vec![Reply::status("429 Too Many Requests", "Retry-After: 3\r\n", ""), Reply::ok()], TWICE, &[429, 200], true, "200 OK"),
        row("500, then 200", vec![error(), Reply::ok()], TWICE, &[500, 200], true, "200 OK"),
        row("500, and again", vec![error(), error()], TWICE, &[500, 500], false, "500 Internal Server Error: {\"error\":\"oops\"}"),
        row("500 with an endless text", vec![Reply::Endless(head("500 Internal Server Error"), b"4\r\nbla \r\n".to_vec()); 2], TWICE, &[500, 500], false, "500 Internal Server Error: bla bla bla"),
        row("500 whose text does not come", vec![Reply::Hang(head("500 Internal Server Error")); 2], TWICE, &[500, 500], false, "500 Internal Server Error"),
        row("200 with an endless text", vec![Reply::Endless(head("200 OK"), b"4\r\nbla \r\n".to_vec())], ONCE, &[200], true, "200 OK"),
        row("an endless head", vec![Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), format!("A: {}\r\n", "a".repeat(1_000)).into()); 2], TWICE, &[0, 0], false, "No answer: "),
        row("garbage", vec![Reply::Bytes(b"\x00\x01 what is this?\r\n\r\n".to_vec()); 2], TWICE, &[0, 0], false, "No answer: what came is no HTTP answer"),
        row("nothing, and it hangs up", vec![Reply::Bytes(Vec::new()); 2], TWICE, &[0, 0], false, "No answer: the connection broke"),
        row("half a head, and it hangs up", vec![Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Le".to_vec()); 2], TWICE, &[0, 0], false, "No answer: the connection broke"),
        row("a reset in the middle", vec![Reply::Reset(b"HTTP/1.1 200 OK\r\nContent-Le".to_vec()); 2], TWICE, &[0, 0], false, "No answer: the connection broke"),
        row("no answer at all", vec![Reply::Hang(Vec::new()); 2], TWICE, &[0, 0], false, "No answer within 10 s."),
        row("half a head, and then nothing", vec![Reply::Hang(b"HTTP/1.1 200 OK\r\n".to_vec()), Reply::ok()], TWICE, &[0, 200], true, "200 OK"),
    ]
}

#[apply(on_each_database)]
async fn each_failure_is_retried_once_and_recorded_and_the_next_change_follows(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let (mut over, mut seen_requests) = (0, 0);
    let _time = server.run_clock_fast();
    for Row { does, replies, seen_requests: paths, statuses, delivered, shown } in table() {
        receiver.reply_next(replies);
        server.switch_search_suggestions("staging", over % 2 == 1).await;
        over += 1;
        let log = settled(&server, &id, over).await;
        let requests = receiver.received().split_off(seen_requests);
        seen_requests += requests.len();
        let lines: Vec<_> = paths.iter().map(|path| format!("POST /api/3/{path} HTTP/1.1")).collect();
        assert_eq!(requests.iter().map(|request| request.line()).collect::<Vec<_>>(), lines, "{does}");
        if let Some(category) = requests.iter().find(|request| request.line().contains("categories")) {
            assert_eq!(category.body(), json!({ "category": "Feature flags" }), "{does}");
        }
        let newest = &log[0];
        assert_eq!(newest["state"], if delivered { "delivered" } else { "failed" }, "{does}: {newest}");
        let attempts = newest["attempts"].as_array().unwrap();
        let found: Vec<_> = attempts.iter().map(|attempt| attempt["status"].as_u64().unwrap_or(0)).collect();
        assert_eq!(found, statuses.iter().map(|status| u64::from(*status)).collect::<Vec<_>>(), "{does}");
        let integration = read(&server, &id).await;
        assert_eq!(integration["lastDeliverySuccess"], delivered, "{does}");
        assert_eq!(integration["delivering"], delivered, "{does}");
        assert_eq!(integration["lastDeliveryAt"], newest["settledAt"], "{does}");
        let detail = integration["lastDeliveryDetail"].as_str().unwrap();
        assert!(detail.starts_with(shown), "{does}: {detail}");
        assert_eq!(detail, attempts.last().unwrap()["detail"], "{does}");
        assert!(detail.chars().count() < 600, "{does}: {detail}");
    }
}

/// The attempts of the newest delivery to this URL.
async fn attempts_at(database: &crate::fixture::Database, address: &str) -> Vec<Value> {
    let server = Server::start_with_destinations(database, outbound(address, address)).await;
    let id = create(&server, &integration("US")).await;
    let _time = server.run_clock_fast();
    server.switch_search_suggestions("staging", false).await;
    let log = settled(&server, &id, 1).await;
    assert_eq!(log[0]["state"], "failed");
    log[0]["attempts"].as_array().unwrap().clone()
}

#[apply(on_each_database)]
async fn a_refused_connection_is_retried_once_and_reported(database: Database) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let attempts = attempts_at(&database, &address).await;
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        assert_eq!(attempt["status"], Value::Null);
        let detail = attempt["detail"].as_str().unwrap();
        assert!(detail.contains("cannot be reached") && detail.contains("refused"), "{detail}");
    }
}

/// Starts a server without TLS that answers every connection.
async fn in_the_clear() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let _ = connection.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    address
}

/// Starts a server with a self-signed certificate. Reports how many bytes it receives.
async fn untrusted(received_bytes: mpsc::UnboundedSender<usize>) -> String {
    let (acceptor, _) = self_signed();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            if let Ok(mut secure) = acceptor.accept(connection).await {
                let _ = received_bytes.send(secure.read(&mut [0; 1024]).await.unwrap_or(0));
            }
        }
    });
    address
}

#[apply(on_each_database)]
async fn a_failed_tls_handshake_is_retried_once_and_reported(database: Database) {
    let attempts = attempts_at(&database, &in_the_clear().await).await;
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        let detail = attempt["detail"].as_str().unwrap();
        assert!(detail.contains("could not be made secure (TLS)"), "{detail}");
    }
}

#[apply(on_each_database)]
async fn an_untrusted_certificate_is_reported_and_receives_no_keys(database: Database) {
    let (sender, mut received_bytes) = mpsc::unbounded_channel();
    let attempts = attempts_at(&database, &untrusted(sender).await).await;
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        let detail = attempt["detail"].as_str().unwrap();
        assert!(detail.contains("could not be made secure (TLS)") && detail.contains("UnknownIssuer"), "{detail}");
    }
    assert!(received_bytes.try_recv().unwrap_or(0) == 0, "nothing is sent to an untrusted server");
}

#[apply(on_each_database)]
async fn the_second_attempt_follows_after_a_second_or_after_retry_after(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let asks = |seconds: &str| Reply::status("503 Service Unavailable", &format!("Retry-After: {seconds}\r\n"), "");
    let silent = Reply::status("503 Service Unavailable", "", "");
    let _time = server.run_clock_fast();
    for (number, (reply, least, most)) in [
        (silent.clone(), 1_000, 3_000),
        (asks("4"), 4_000, 6_000),
        (asks("3600"), 10_000, 12_000),
        (asks("0"), 1_000, 3_000),
        (asks("soon"), 1_000, 3_000),
    ]
    .into_iter()
    .enumerate()
    {
        receiver.reply_next([reply]);
        server.switch_search_suggestions("staging", number % 2 == 1).await;
        let log = settled(&server, &id, number + 1).await;
        let at = |index: usize| -> i64 {
            let at: jiff::Timestamp = log[0]["attempts"][index]["at"].as_str().unwrap().parse().unwrap();
            at.as_millisecond()
        };
        let between = at(1) - at(0);
        assert!((least..=most).contains(&between), "{number}: {between} ms");
    }
}

#[apply(on_each_database)]
async fn a_change_is_answered_at_once_even_if_the_destination_hangs(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    receiver.reply_always(Reply::Hang(Vec::new()));
    server.switch_search_suggestions("staging", false).await;
    receiver.receive(1).await;
    // The clock does not run, so the attempt does not time out.
    for round in 0..20 {
        let switched = server.switch_search_suggestions("staging", round % 2 == 0);
        tokio::time::timeout(Duration::from_secs(5), switched).await.expect("a response without waiting for the destination");
    }
    assert_eq!(receiver.received().len(), 1);
    let waiting = async {
        while read(&server, &id).await["backlog"]["waiting"] != 21 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), waiting).await.expect("a backlog of all of them");
    let backlog = read(&server, &id).await["backlog"].clone();
    assert_eq!(backlog, json!({ "waiting": 21, "oldestChangeAt": "2026-11-21T10:00:00Z", "backlogged": false }));
}
