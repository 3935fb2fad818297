//! The first event of a stream: nothing for a client with current values, all values for any other.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Loaded, Server, on_default_database};

/// The `since` of a load, modified.
fn since_with(loaded: &Loaded, change: impl FnOnce(&mut flagservice_core::Since)) -> String {
    let mut known = loaded.known_version();
    change(&mut known);
    known.to_string()
}

#[apply(on_default_database)]
async fn nothing_is_sent_to_a_client_with_current_values(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    // An older version is fine if the values are the same.
    let mut older = browser.open_at(&loaded.token, &since_with(&loaded, |known| known.version -= 1)).await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    assert_eq!(older.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn all_values_are_sent_to_a_client_with_no_known_version_or_another_one(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let token = &loaded.token;
    for path in [
        format!("/stream?token={token}"),
        format!("/stream?token={token}&since="),
        format!("/stream?token={token}&since=yesterday"),
        format!("/stream?token={token}&since={}", since_with(&loaded, |known| known.epoch ^= 1)),
        format!(
            "/stream?token={token}&since={}",
            since_with(&loaded, |known| (known.epoch, known.version) = (7, 1 << 40))
        ),
        format!("/stream?token={token}&since={}", since_with(&loaded, |known| known.digest ^= 1)),
    ] {
        let mut stream = browser.open_path(&path).await;
        let event = stream.next_event().await;
        assert_eq!(event.name, "put", "{path}");
        assert_eq!(*event.features(), json!(loaded.features), "{path}");
        assert_eq!(event.id.as_deref(), Some(loaded.since.as_str()), "{path}");
    }
}

#[apply(on_default_database)]
async fn all_values_are_sent_once_and_then_only_changes(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open_path(&format!("/stream?token={}", loaded.token)).await;
    assert_eq!(stream.put().await, json!(loaded.features));
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn a_reconnecting_client_gets_the_current_values(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    server.switch_search_suggestions("production", false).await;
    let now = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    assert_eq!(stream.put().await, json!(now.features));
}

#[apply(on_default_database)]
async fn a_known_version_from_the_future_makes_the_client_load_again(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let future = since_with(&loaded, |known| known.version += 1);
    let mut stream = browser.open_at(&loaded.token, &future).await;
    stream.expect_empty("reload").await;
    stream.expect_end().await;
}

#[apply(on_default_database)]
async fn a_stream_tells_proxies_and_caches_not_to_hold_back_events(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let expired = browser.open_at("unreadable", &loaded.since).await;
    for stream in [browser.open(&loaded).await, expired] {
        assert_eq!(stream.headers["content-type"], "text/event-stream");
        assert_eq!(stream.headers["cache-control"], "no-cache, no-transform");
        assert_eq!(stream.headers["x-accel-buffering"], "no");
        assert_eq!(stream.headers["access-control-allow-origin"], "*");
    }
}

#[apply(on_default_database)]
async fn the_last_event_id_resumes_the_stream_without_repeated_events(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    server.switch_search_suggestions("production", false).await;
    let event = stream.next_event().await;
    drop(stream);

    let mut next = browser.open_at(&loaded.token, event.id.as_deref().unwrap()).await;
    server.switch_search_suggestions("production", true).await;
    let expected: Value = json!({ "search-suggestions": "on" });
    assert_eq!(next.patch().await, expected);
}
