//! Failures of a destination: how many requests it gets, what is recorded, and what is shown.

mod cases;

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::mpsc;

use self::cases::{Case, cases};
use super::{create, integration, read, settled, start};
use crate::fixture::{HANG_TIMEOUT, Reply, Server, on_default_database, on_each_database, outbound, self_signed};

#[apply(on_default_database)]
async fn each_failure_is_retried_once_and_recorded_and_the_next_change_follows(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let (mut finished, mut request_count) = (0, 0);
    let _time = server.run_clock_fast();
    for Case { name, replies, paths, statuses, delivered, detail: expected_detail } in cases() {
        receiver.reply_next(replies);
        server.switch_search_suggestions("staging", finished % 2 == 1).await;
        finished += 1;
        let log = settled(&server, &id, finished).await;
        let requests = receiver.received().split_off(request_count);
        request_count += requests.len();
        let lines: Vec<_> = paths.iter().map(|path| format!("POST /api/3/{path} HTTP/1.1")).collect();
        assert_eq!(requests.iter().map(|request| request.line()).collect::<Vec<_>>(), lines, "{name}");
        if let Some(category) = requests.iter().find(|request| request.line().contains("categories")) {
            assert_eq!(category.body(), json!({ "category": "Feature flags" }), "{name}");
        }
        let newest = &log[0];
        assert_eq!(newest["state"], if delivered { "delivered" } else { "failed" }, "{name}: {newest}");
        let attempts = newest["attempts"].as_array().unwrap();
        let found: Vec<_> = attempts.iter().map(|attempt| attempt["status"].as_u64().unwrap_or(0)).collect();
        assert_eq!(found, statuses.iter().map(|status| u64::from(*status)).collect::<Vec<_>>(), "{name}");
        let integration = read(&server, &id).await;
        assert_eq!(integration["lastDeliverySuccess"], delivered, "{name}");
        assert_eq!(integration["delivering"], delivered, "{name}");
        assert_eq!(integration["lastDeliveryAt"], newest["settledAt"], "{name}");
        let detail = integration["lastDeliveryDetail"].as_str().unwrap();
        assert!(detail.starts_with(expected_detail), "{name}: {detail}");
        assert_eq!(detail, attempts.last().unwrap()["detail"], "{name}");
        assert!(detail.chars().count() < 600, "{name}: {detail}");
    }
}

/// The attempts of the newest delivery to this URL.
async fn attempts_of(database: &crate::fixture::Database, address: &str) -> Vec<Value> {
    let server = Server::start_with_destinations(database, outbound(address, address)).await;
    let id = create(&server, &integration("US")).await;
    // As fast as real time: with a fast clock, a TLS handshake on a busy machine would be too slow.
    let _time = server.run_clock_at(1);
    server.switch_search_suggestions("staging", false).await;
    let log = settled(&server, &id, 1).await;
    assert_eq!(log[0]["state"], "failed");
    log[0]["attempts"].as_array().unwrap().clone()
}

#[apply(on_default_database)]
async fn a_refused_connection_is_retried_once_and_reported(database: Database) {
    // It keeps its port without listening: no server of another test can get that.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = format!("http://{}", socket.local_addr().unwrap());
    let attempts = attempts_of(&database, &address).await;
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        assert_eq!(attempt["status"], Value::Null);
        let detail = attempt["detail"].as_str().unwrap();
        assert!(detail.contains("could not connect") && detail.contains("refused"), "{detail}");
    }
}

/// Starts a server without TLS that answers every connection.
async fn plain_http_server() -> String {
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
async fn untrusted_server(received_bytes: mpsc::UnboundedSender<usize>) -> String {
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

#[apply(on_default_database)]
async fn a_failed_tls_handshake_is_retried_once_and_reported(database: Database) {
    let attempts = attempts_of(&database, &plain_http_server().await).await;
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        let detail = attempt["detail"].as_str().unwrap();
        assert!(detail.contains("TLS handshake failed"), "{detail}");
    }
}

#[apply(on_default_database)]
async fn an_untrusted_certificate_is_reported_and_receives_no_keys(database: Database) {
    let (sender, mut received_bytes) = mpsc::unbounded_channel();
    let attempts = attempts_of(&database, &untrusted_server(sender).await).await;
    assert_eq!(attempts.len(), 2);
    for attempt in attempts {
        let detail = attempt["detail"].as_str().unwrap();
        assert!(detail.contains("TLS handshake failed") && detail.contains("UnknownIssuer"), "{detail}");
    }
    assert!(received_bytes.try_recv().unwrap_or(0) == 0, "nothing is sent to an untrusted server");
}

#[apply(on_default_database)]
async fn the_second_attempt_follows_after_a_second_or_after_retry_after(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let retry_after =
        |seconds: &str| Reply::status("503 Service Unavailable", &format!("Retry-After: {seconds}\r\n"), "");
    let without_header = Reply::status("503 Service Unavailable", "", "");
    let _time = server.run_clock_fast();
    // The clock runs fast, so on a busy machine the attempt is late. An hour would be too late.
    let most = 30 * 60 * 1_000;
    for (number, (reply, least)) in [
        (without_header.clone(), 1_000),
        (retry_after("4"), 4_000),
        (retry_after("3600"), 10_000),
        (retry_after("0"), 1_000),
        (retry_after("soon"), 1_000),
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
        tokio::time::timeout(HANG_TIMEOUT, switched).await.expect("a response without waiting for the destination");
    }
    assert_eq!(receiver.received().len(), 1);
    let waiting = async {
        while read(&server, &id).await["backlog"]["waiting"] != 21 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, waiting).await.expect("a backlog of all of them");
    let backlog = read(&server, &id).await["backlog"].clone();
    assert_eq!(backlog, json!({ "waiting": 21, "oldestChangeAt": "2026-11-21T10:00:00Z", "backlogged": false }));
}
