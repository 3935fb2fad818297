//! A token over 4,000 characters holds no user: such a stream only signals that something changed.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Loaded, Server, at, on_each_database, project};

/// Longest token that still holds its user, in characters.
const LONGEST: usize = 4_000;

/// A user with a text of this length.
fn user(length: usize) -> Value {
    json!({ "id": "alice", "attributes": { "note": "n".repeat(length) } })
}

async fn large(server: &Server) -> Loaded {
    server.browser("production").load(&user(12_000)).await
}

#[apply(on_each_database)]
async fn a_stream_token_has_at_most_4_000_characters(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    // Base64 makes four characters of three bytes, so somewhere here a user no longer fits.
    let mut with_user = 0;
    for length in (2_600..3_000).step_by(20) {
        let loaded = browser.load(&user(length)).await;
        assert!(loaded.token.len() <= LONGEST, "{} characters", loaded.token.len());
        with_user += usize::from(loaded.token.len() > length);
    }
    assert!((1..20).contains(&with_user), "{with_user} of 20 tokens hold their user");
}

#[apply(on_each_database)]
async fn the_stream_of_a_user_too_large_for_a_token_signals_every_change(database: Database) {
    let server = Server::start(&database).await;
    let mut stream = server.browser("production").open(&large(&server).await).await;
    for enabled in [false, true] {
        server.switch_search_suggestions("production", enabled).await;
        stream.bare("changed").await;
    }
}

#[apply(on_each_database)]
async fn a_signal_stream_reports_at_once_a_change_from_before_it_was_opened(database: Database) {
    let server = Server::start(&database).await;
    let loaded = large(&server).await;
    server.switch_search_suggestions("production", false).await;
    server.browser("production").open(&loaded).await.bare("changed").await;
    server.browser("production").open_path(&format!("/stream?token={}", loaded.token)).await.bare("changed").await;
}

#[apply(on_each_database)]
async fn a_signal_stream_reports_a_time_change(database: Database) {
    let server = Server::start(&database).await;
    let mut stream = server.browser("production").open(&large(&server).await).await;
    server.clock.set(at("2026-12-01T10:00:00Z"));
    stream.bare("changed").await;
}

#[apply(on_each_database)]
async fn a_signal_stream_reports_at_once_a_time_change_from_before_it_was_opened(database: Database) {
    let server = Server::start(&database).await;
    server.clock.set(at("2026-11-30T20:00:00Z"));
    let loaded = large(&server).await;
    server.clock.set(at("2026-12-01T06:00:00Z"));
    server.browser("production").open(&loaded).await.bare("changed").await;
}

#[apply(on_each_database)]
async fn a_signal_stream_ends_when_its_client_key_is_revoked(database: Database) {
    let server = Server::start(&database).await;
    let mut stream = server.browser("production").open(&large(&server).await).await;
    let keys = project("/environments/production/client-keys");
    let id = server.administrator().get(&keys).await.ok(200)["items"][0]["id"].as_str().unwrap().to_owned();
    server.administrator().delete(&format!("{keys}/{id}")).await.ok(204);
    stream.bare("reload").await;
    stream.end().await;
}
