//! Connections that send a request too slowly, or headers that are too large, are closed.

use std::time::Duration;

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::fixture::{HANG_TIMEOUT, Server, on_default_database, targeting};

/// The read timeout of these servers.
const SERVER_TIMEOUT: Duration = Duration::from_secs(1);

/// Long enough for a load on a busy machine.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.socket_address()).await.unwrap()
}

/// Sends the text byte by byte, repeatedly, and returns what the server sent until it closed the connection.
async fn send_slowly(stream: TcpStream, text: &'static [u8]) -> String {
    let (mut incoming, mut outgoing) = stream.into_split();
    let writer = tokio::spawn(async move {
        for byte in text.iter().cycle() {
            if outgoing.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(SERVER_TIMEOUT / 20).await;
        }
    });
    let mut received = Vec::new();
    // The connection is reset if the server closes it while bytes are in flight.
    let read = tokio::time::timeout(HANG_TIMEOUT, incoming.read_to_end(&mut received)).await;
    writer.abort();
    let _ = read.expect("the server closes the connection");
    String::from_utf8(received).unwrap()
}

/// Sends the text and returns the first part of the response.
async fn first_response(mut stream: TcpStream, text: &[u8]) -> String {
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(text).await;
    let mut received = vec![0; 4096];
    let length = tokio::time::timeout(HANG_TIMEOUT, stream.read(&mut received)).await.expect("a response").unwrap();
    String::from_utf8(received[..length].to_vec()).unwrap()
}

#[apply(on_default_database)]
async fn a_client_that_sends_headers_too_slowly_is_disconnected_and_others_are_served(database: Database) {
    let settings = Settings { head_timeout: SERVER_TIMEOUT, ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let mut slow = connect(&server).await;
    slow.write_all(b"GET /health/live HTTP/1.1\r\nHost: a\r\n").await.unwrap();
    let cut_off = tokio::spawn(send_slowly(slow, b"x-more: headers\r\n"));
    server.anonymous().get("/health/live").await.ok(200);
    let received = cut_off.await.unwrap();
    assert!(received.is_empty() || received.starts_with("HTTP/1.1 408"), "{received}");
}

#[apply(on_default_database)]
async fn a_connection_without_a_request_is_closed(database: Database) {
    let mut settings = Settings { head_timeout: SERVER_TIMEOUT, ..Settings::default() };
    settings.connections.first_byte_timeout = SERVER_TIMEOUT;
    let server = Server::start_with(&database, settings).await;
    let mut received = Vec::new();
    let mut silent = connect(&server).await;
    tokio::time::timeout(HANG_TIMEOUT, silent.read_to_end(&mut received))
        .await
        .expect("the server closes the connection")
        .unwrap();
    assert_eq!(received, b"");
}

#[apply(on_default_database)]
async fn a_body_that_arrives_too_slowly_gets_a_timeout_error(database: Database) {
    let settings = Settings { request_timeout: REQUEST_TIMEOUT, ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let key = &database.credentials().client_keys["staging"];
    for path in [format!("/client/v1/{key}/load"), format!("/client/v1/{key}/goals")] {
        let mut slow = connect(&server).await;
        let head = format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n");
        slow.write_all(format!("{head}Content-Length: 100\r\n\r\n").as_bytes()).await.unwrap();
        let received = first_response(slow, b"{").await;
        assert!(received.starts_with("HTTP/1.1 503"), "{received}");
        let lower = received.to_ascii_lowercase();
        assert!(lower.contains("content-type: application/problem+json"), "{received}");
        assert!(lower.contains("retry-after: "), "{received}");
        assert!(received.contains("/problems/timeout"), "{received}");
    }
    // A stream lasts longer than the timeout, because its response has started.
    let browser = server.browser("staging");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    tokio::time::sleep(REQUEST_TIMEOUT + Duration::from_millis(500)).await;
    let mut off = targeting(&[]);
    off["enabled"] = json!(false);
    // Not by a request, which would have to end in time.
    server.write_without_gate("search-suggestions", "staging", &off).await;
    assert_eq!(stream.patch().await["search-suggestions"], "off");
}

#[apply(on_default_database)]
async fn headers_of_more_than_32_kib_are_rejected(database: Database) {
    let server = Server::start(&database).await;
    let head = |length: usize| {
        format!("GET /health/live HTTP/1.1\r\nHost: a\r\nX-Much: {}\r\n\r\n", "m".repeat(length)).into_bytes()
    };
    let received = first_response(connect(&server).await, &head(31 * 1024)).await;
    assert!(received.starts_with("HTTP/1.1 200"), "{received}");
    let received = first_response(connect(&server).await, &head(33 * 1024)).await;
    assert!(received.starts_with("HTTP/1.1 431"), "{received}");
}
