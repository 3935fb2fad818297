//! A token would exceed 4,000 characters, so it does not contain the user, and the stream only signals changes.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Loaded, Server, at, on_default_database, on_each_database, project};

/// The maximum length of a stream token.
const MAX_TOKEN_LENGTH: usize = 4_000;

/// A user with an attribute of this length.
fn user(length: usize) -> Value {
    json!({ "id": "alice", "attributes": { "note": "n".repeat(length) } })
}

async fn load_large_user(server: &Server) -> Loaded {
    server.browser("production").load(&user(12_000)).await
}

#[apply(on_default_database)]
async fn a_stream_token_has_at_most_4_000_characters(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    // Base64 encodes three bytes as four characters, so users stop fitting within this range.
    let mut with_user = 0;
    for length in (2_600..3_000).step_by(20) {
        let loaded = browser.load(&user(length)).await;
        assert!(loaded.token.len() <= MAX_TOKEN_LENGTH, "{} characters", loaded.token.len());
        with_user += usize::from(loaded.token.len() > length);
    }
    assert!((1..20).contains(&with_user), "{with_user} of 20 tokens contain their user");
}

#[apply(on_default_database)]
async fn the_stream_of_a_user_too_large_for_a_token_signals_every_change(database: Database) {
    let server = Server::start(&database).await;
    let mut stream = server.browser("production").open(&load_large_user(&server).await).await;
    for enabled in [false, true] {
        server.switch_search_suggestions("production", enabled).await;
        stream.expect_empty("changed").await;
    }
}

#[apply(on_each_database)]
async fn a_signal_stream_reports_at_once_a_change_from_before_it_was_opened(database: Database) {
    let server = Server::start(&database).await;
    let loaded = load_large_user(&server).await;
    server.switch_search_suggestions("production", false).await;
    server.browser("production").open(&loaded).await.expect_empty("changed").await;
    server
        .browser("production")
        .open_path(&format!("/stream?token={}", loaded.token))
        .await
        .expect_empty("changed")
        .await;
}

#[apply(on_default_database)]
async fn a_signal_stream_reports_a_time_change(database: Database) {
    let server = Server::start(&database).await;
    let mut stream = server.browser("production").open(&load_large_user(&server).await).await;
    server.clock.set(at("2026-12-01T10:00:00Z"));
    stream.expect_empty("changed").await;
}

#[apply(on_each_database)]
async fn a_signal_stream_reports_at_once_a_time_change_from_before_it_was_opened(database: Database) {
    let server = Server::start(&database).await;
    server.clock.set(at("2026-11-30T20:00:00Z"));
    let loaded = load_large_user(&server).await;
    server.clock.set(at("2026-12-01T06:00:00Z"));
    server.browser("production").open(&loaded).await.expect_empty("changed").await;
}

#[apply(on_default_database)]
async fn a_signal_stream_ends_when_its_client_key_is_revoked(database: Database) {
    let server = Server::start(&database).await;
    let mut stream = server.browser("production").open(&load_large_user(&server).await).await;
    let keys = project("/environments/production/client-keys");
    let id = server.administrator().get(&keys).await.ok(200)["items"][0]["id"].as_str().unwrap().to_owned();
    server.administrator().delete(&format!("{keys}/{id}")).await.ok(204);
    stream.expect_empty("reload").await;
    stream.expect_end().await;
}
