//! What every response has: a request id, and a compressed body if it is large.

use std::collections::BTreeSet;
use std::path::Path;

use flagservice_server::http::Settings;
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

/// The length of a response that is compressed while it is sent is not known before.
#[apply(on_sqlite)]
async fn what_stays_the_same_is_compressed_before_it_is_sent(database: Database) {
    let settings =
        Settings { static_dir: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let anonymous = server.anonymous();
    let script = largest_asset("../../dist/docs/assets", ".js");
    let no_wasm_core = largest_asset("../../dist/no-wasm-core", ".mjs");
    for path in [
        "/openapi.json",
        "/docs/api/swagger-ui-bundle.js",
        "/docs/api/swagger-ui.css",
        "/docs/",
        "/docs/llms.txt",
        &format!("/docs/assets/{script}"),
        &format!("/client/v1/no-wasm-core/{no_wasm_core}"),
    ] {
        let plain = anonymous.get(path).await;
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        assert_eq!(plain.header("content-length"), Some(plain.text.len().to_string().as_str()), "{path}");
        assert!(plain.header("vary").unwrap().contains("accept-encoding"), "{path}");
        for accepted in ["gzip", "gzip, deflate"] {
            let packed = with_encoding(anonymous.request(Method::GET, path), accepted).await;
            let headers = packed.headers().clone();
            assert_eq!(headers["content-encoding"], "gzip", "{path}");
            assert_eq!(headers.get("content-type"), plain.headers.get("content-type"), "{path}");
            assert!(headers["vary"].to_str().unwrap().contains("accept-encoding"), "{path}");
            let body = packed.bytes().await.unwrap();
            assert_eq!(headers["content-length"], body.len().to_string().as_str(), "{path}");
            let unpacked = flagservice_server::serving::compressed::unpack(&body).unwrap();
            assert_eq!(String::from_utf8(unpacked).unwrap(), plain.text, "{path}");
        }
    }
    // What is not kept is not compressed.
    for path in ["/metrics", "/pages/lib.rs"] {
        let response = with_encoding(anonymous.request(Method::GET, path), "gzip").await;
        assert_eq!((response.status().as_u16(), response.headers().get("content-encoding")), (200, None), "{path}");
    }
}

/// The largest built file with this ending.
fn largest_asset(folder: &str, end: &str) -> String {
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("npm run build");
    let files = files.map(|file| file.unwrap()).filter(|file| file.file_name().to_str().unwrap().ends_with(end));
    let largest = files.max_by_key(|file| file.metadata().unwrap().len()).expect("npm run build");
    largest.file_name().into_string().unwrap()
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
