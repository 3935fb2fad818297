//! Connections: who trickles a request, or sends too much before its body, is not waited for.

use std::time::Duration;

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::fixture::{Server, on_each_database};

/// How long these servers wait.
const SHORT: Duration = Duration::from_millis(200);

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.listens_on()).await.unwrap()
}

/// All that the server says until it closes the connection, while the text comes byte by byte, over and over.
async fn trickle(stream: TcpStream, text: &'static [u8]) -> String {
    let (mut incoming, mut outgoing) = stream.into_split();
    let writer = tokio::spawn(async move {
        for byte in text.iter().cycle() {
            if outgoing.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(SHORT / 20).await;
        }
    });
    let mut said = Vec::new();
    // A server that closes while bytes are on their way resets the connection.
    let read = tokio::time::timeout(PATIENCE, incoming.read_to_end(&mut said)).await;
    writer.abort();
    let _ = read.expect("the server closes the connection");
    String::from_utf8(said).unwrap()
}

/// What the server says first to this.
async fn first_words(mut stream: TcpStream, text: &[u8]) -> String {
    // The server may close before it has read everything.
    let _ = stream.write_all(text).await;
    let mut said = vec![0; 4096];
    let length = tokio::time::timeout(PATIENCE, stream.read(&mut said)).await.expect("an answer").unwrap();
    String::from_utf8(said[..length].to_vec()).unwrap()
}

#[apply(on_each_database)]
async fn a_client_that_sends_headers_too_slowly_is_disconnected_and_others_are_served(database: Database) {
    let settings = Settings { head_timeout: SHORT, ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let mut slow = connect(&server).await;
    slow.write_all(b"GET /health/live HTTP/1.1\r\nHost: a\r\n").await.unwrap();
    let cut_off = tokio::spawn(trickle(slow, b"x-more: headers\r\n"));
    server.anonymous().get("/health/live").await.ok(200);
    let said = cut_off.await.unwrap();
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 408"), "{said}");
}

#[apply(on_each_database)]
async fn a_connection_without_a_request_is_closed(database: Database) {
    let settings = Settings { head_timeout: SHORT, ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let mut said = Vec::new();
    let mut silent = connect(&server).await;
    tokio::time::timeout(PATIENCE, silent.read_to_end(&mut said)).await.expect("the server closes it").unwrap();
    assert_eq!(said, b"");
}

#[apply(on_each_database)]
async fn a_body_that_arrives_too_slowly_gets_a_timeout_error(database: Database) {
    let settings = Settings { request_timeout: SHORT, ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let key = &database.credentials().client_keys["staging"];
    for path in [format!("/client/v1/{key}/load"), format!("/client/v1/{key}/goals")] {
        let mut slow = connect(&server).await;
        let head = format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n");
        slow.write_all(format!("{head}Content-Length: 100\r\n\r\n").as_bytes()).await.unwrap();
        let said = first_words(slow, b"{").await;
        assert!(said.starts_with("HTTP/1.1 503"), "{said}");
        let lower = said.to_ascii_lowercase();
        assert!(lower.contains("content-type: application/problem+json"), "{said}");
        assert!(lower.contains("retry-after: "), "{said}");
        assert!(said.contains("/problems/timeout"), "{said}");
    }
    // A stream goes on beyond that time: its answer has begun.
    let browser = server.browser("staging");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    tokio::time::sleep(2 * SHORT).await;
    server.switch_search_suggestions("staging", false).await;
    assert_eq!(stream.patch().await["search-suggestions"], "off");
}

#[apply(on_each_database)]
async fn headers_of_more_than_32_kib_are_rejected(database: Database) {
    let server = Server::start(&database).await;
    let head = |length: usize| {
        format!("GET /health/live HTTP/1.1\r\nHost: a\r\nX-Much: {}\r\n\r\n", "m".repeat(length)).into_bytes()
    };
    let said = first_words(connect(&server).await, &head(31 * 1024)).await;
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let said = first_words(connect(&server).await, &head(33 * 1024)).await;
    assert!(said.starts_with("HTTP/1.1 431"), "{said}");
}
