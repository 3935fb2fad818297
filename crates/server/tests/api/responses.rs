//! What every response has: a request id, and a compressed body if it is large.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::json;

use crate::fixture::{Server, on_default_database, on_sqlite};

#[apply(on_default_database)]
async fn every_response_has_its_request_id(database: Database) {
    let server = Server::start(&database).await;
    let (reader, browser) = (server.read_only(), server.browser("staging"));
    let mut ids = BTreeSet::new();
    let responses = [
        reader.get("/api/v1/projects").await,
        reader.get("/api/v1/projects").await,
        reader.get("/api/v1/projects/nothing").await,
        reader.get("/nowhere").await,
        server.anonymous().get("/api/v1/me").await,
        server.anonymous().get("/health/live").await,
        browser.post_load(r#"{"user": {"id": "alice"}}"#).await,
        browser.post_load("{").await,
    ];
    let count = responses.len();
    for response in responses {
        let id = response.header("x-request-id").unwrap_or_else(|| panic!("{response:?}")).to_owned();
        assert!(!id.is_empty());
        ids.insert(id);
    }
    assert_eq!(ids.len(), count);

    let named = reader.request(Method::GET, "/api/v1/projects").header("x-request-id", "mine-4711");
    assert_eq!(reader.send(named).await.header("x-request-id"), Some("mine-4711"));
}

#[apply(on_sqlite)]
async fn a_request_id_has_at_most_64_plain_characters_and_else_is_a_new_one(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let longest = "a".repeat(64);
    for (given, kept) in [
        (longest.as_str(), true),
        ("01J:a_b-c.d", true),
        (&"a".repeat(65), false),
        ("", false),
        ("two words", false),
        ("{\"json\":1}", false),
        ("ümlaut", false),
    ] {
        let request = reader.request(Method::GET, "/api/v1/projects").header("x-request-id", given.as_bytes());
        let response = reader.send(request).await;
        let id = response.header("x-request-id").unwrap();
        assert_eq!(id == given, kept, "{given}: {id}");
        assert!(kept || id.len() == 36, "{given}: {id}");
    }
}

async fn with_encoding(request: RequestBuilder, accepted: &str) -> Response {
    request.header("accept-encoding", accepted).send().await.unwrap()
}

#[apply(on_default_database)]
async fn a_large_response_is_compressed_if_the_client_accepts_it(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let large = || reader.request(Method::GET, "/api/v1/audit-log?limit=200");
    let plain = reader.send(large()).await;
    assert_eq!(plain.header("content-encoding"), None);
    assert!(plain.text.len() > 4096);
    for accepted in ["gzip", "br, gzip;q=0.5"] {
        let packed = with_encoding(large(), accepted).await;
        assert_eq!(packed.headers()["content-encoding"], "gzip", "{accepted}");
        assert!(packed.headers()["vary"].to_str().unwrap().contains("accept-encoding"));
        let body = packed.bytes().await.unwrap();
        // The magic number of gzip (RFC 1952).
        assert_eq!(body[..2], [0x1f, 0x8b]);
        assert!(body.len() < plain.text.len() / 2, "{} of {}", body.len(), plain.text.len());
    }
    for accepted in ["identity", "gzip;q=0"] {
        let response = with_encoding(large(), accepted).await;
        assert_eq!(response.headers().get("content-encoding"), None, "{accepted}");
    }
    let small = with_encoding(reader.request(Method::GET, "/api/v1/me"), "gzip").await;
    assert_eq!(small.headers().get("content-encoding"), None);
}

#[apply(on_default_database)]
async fn a_large_response_to_an_sdk_client_is_compressed_too(database: Database) {
    let browser = Server::start(&database).await.browser("staging");
    // The token contains the user, so it grows with them.
    let load = |length: usize| {
        let body = json!({ "user": { "id": "alice", "attributes": { "about": "x".repeat(length) } } });
        browser.request(Method::POST, "/load").json(&body)
    };
    assert!(browser.send(load(2750)).await.text.len() > 4096);
    let large = with_encoding(load(2750), "gzip, br").await;
    assert_eq!(large.headers()["content-encoding"], "gzip");
    assert_eq!(large.bytes().await.unwrap()[..2], [0x1f, 0x8b]);
    let small = with_encoding(load(10), "gzip, br").await;
    assert_eq!(small.headers().get("content-encoding"), None);
}

#[apply(on_default_database)]
async fn a_stream_is_never_compressed(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    // With an invalid token the stream ends after one event.
    let ended = with_encoding(browser.request(Method::GET, "/stream?token=none"), "gzip").await;
    assert_eq!(ended.headers().get("content-encoding"), None);
    assert!(ended.text().await.unwrap().contains("event: reload"));

    let token = browser.load_id("alice").await.token;
    let open = with_encoding(browser.request(Method::GET, &format!("/stream?token={token}")), "gzip").await;
    assert_eq!(open.headers()["content-type"], "text/event-stream");
    assert_eq!(open.headers().get("content-encoding"), None);
}
