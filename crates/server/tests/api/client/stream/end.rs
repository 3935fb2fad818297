//! A stream with an expired, unreadable or revoked token gets 200, one `reload`, and ends.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Browser, NOW, Server, environment, on_default_database};

/// How long a stream token is valid, in milliseconds.
const TWELVE_HOURS: i64 = 12 * 60 * 60 * 1000;

/// Asserts that the stream at this path tells the client to load again.
async fn assert_reload(browser: &Browser, path: &str) {
    let mut stream = browser.open_path(path).await;
    stream.expect_empty("reload").await;
    stream.expect_end().await;
}

/// Creates a client key of production and returns its id and a browser client with it.
async fn new_key(server: &Server) -> (String, Browser) {
    let path = environment("production", "/client-keys");
    let created = server.administrator().post(&path, &json!({ "name": "Kiosk" })).await.ok(201);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&created["id"]), server.browser_with(&text(&created["key"])))
}

async fn revoke(server: &Server, id: &str) {
    let path = environment("production", &format!("/client-keys/{id}"));
    server.administrator().delete(&path).await.ok(204);
}

#[apply(on_default_database)]
async fn a_stream_token_is_valid_for_twelve_hours(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let path = format!("/stream?token={}&since={}", loaded.token, loaded.since);
    server.clock.set(Instant(NOW.0 + TWELVE_HOURS - 1));
    let mut last = browser.open_path(&path).await;
    server.clock.set(Instant(NOW.0 + TWELVE_HOURS));
    assert_reload(&browser, &path).await;
    // The open stream ends with its next heartbeat, see heartbeat.rs, which may have come on a busy machine.
    server.switch_search_suggestions("production", false).await;
    let event = last.next_event().await;
    if event.name != "reload" {
        assert_eq!((event.name.as_str(), event.features()), ("patch", &json!({ "search-suggestions": "off" })));
    }
}

#[apply(on_default_database)]
async fn an_unreadable_stream_token_makes_the_client_load_again(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let token = browser.load_id("alice").await.token;
    assert_reload(&browser, "/stream").await;
    assert_reload(&browser, "/stream?token=").await;
    assert_reload(&browser, "/stream?token=*&since=1.2.3").await;
    assert_reload(&browser, &format!("/stream?token={}", &token[..token.len() - 4])).await;
    let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
    for index in [0, 3, 4, 27, 28, bytes.len() - 1] {
        let mut forged = bytes.clone();
        forged[index] ^= 1;
        assert_reload(&browser, &format!("/stream?token={}", URL_SAFE_NO_PAD.encode(forged))).await;
    }
}

#[apply(on_default_database)]
async fn a_stream_token_is_not_valid_for_another_client_key(database: Database) {
    let server = Server::start(&database).await;
    let (production, staging) = (server.browser("production"), server.browser("staging"));
    let token = production.load_id("alice").await.token;
    assert_reload(&staging, &format!("/stream?token={token}")).await;
    let (_, kiosk) = new_key(&server).await;
    assert_reload(&kiosk, &format!("/stream?token={token}")).await;
}

#[apply(on_default_database)]
async fn revoking_a_client_key_ends_only_its_own_streams(database: Database) {
    let server = Server::start(&database).await;
    let (id, kiosk) = new_key(&server).await;
    let shop = server.browser("production");
    let loaded = kiosk.load_id("alice").await;
    let (mut of_kiosk, mut second) = (kiosk.open(&loaded).await, kiosk.open(&loaded).await);
    let mut of_shop = shop.open(&shop.load_id("alice").await).await;
    revoke(&server, &id).await;
    for stream in [&mut of_kiosk, &mut second] {
        stream.expect_empty("reload").await;
        stream.expect_end().await;
    }
    server.switch_search_suggestions("production", false).await;
    assert_eq!(of_shop.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn a_revoked_client_key_cannot_load_or_open_streams(database: Database) {
    let server = Server::start(&database).await;
    let (id, kiosk) = new_key(&server).await;
    let loaded = kiosk.load_id("alice").await;
    revoke(&server, &id).await;
    kiosk.post_load(r#"{"user": {"id": "alice"}}"#).await.problem(404, "unknown-client-key");
    kiosk.goals(&json!([])).await.problem(404, "unknown-client-key");
    // The token is revoked with its key.
    assert_reload(&kiosk, &format!("/stream?token={}&since={}", loaded.token, loaded.since)).await;
}
