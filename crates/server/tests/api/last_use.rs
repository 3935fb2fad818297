//! The time of last use of client keys and server keys, which their lists show.

use flagservice_rules::Instant;
use flagservice_server::node::background_tasks::BackgroundTask;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Executor as _;
use tokio::time::timeout;

use crate::fixture::{
    Browser, Database, Engine, HANG_TIMEOUT, NOW, Server, environment, on_default_database, on_each_database,
    on_postgres, on_sqlite,
};

const CLIENT_KEYS: &str = "/client-keys";
const SERVER_KEYS: &str = "/server-keys";

/// A client key of staging.
struct Created {
    id: Value,
    browser: Browser,
}

async fn client_key(server: &Server, name: &str) -> Created {
    let created = server.administrator().post(&environment("staging", CLIENT_KEYS), &json!({ "name": name })).await;
    let created = created.ok(201);
    assert_eq!(created.get("lastUsedAt"), None, "{created}");
    Created { id: created["id"].clone(), browser: server.browser_with(created["key"].as_str().unwrap()) }
}

/// When a key of staging was last used.
async fn last_use(server: &Server, keys: &str, id: &Value) -> Option<String> {
    let listed = server.read_only().get(&environment("staging", keys)).await.items();
    let key = listed.iter().find(|key| key["id"] == *id).unwrap_or_else(|| panic!("{id} in {listed:?}"));
    key.get("lastUsedAt").map(|at| at.as_str().unwrap().to_owned())
}

/// The same, once there is one.
async fn first_use(server: &Server, keys: &str, id: &Value) -> String {
    loop {
        if let Some(at) = last_use(server, keys, id).await {
            return at;
        }
        tokio::task::yield_now().await;
    }
}

/// The same, after the server has stopped. It writes then what still waits.
async fn last_use_after_stop(server: Server, database: &Database, keys: &str, id: &Value) -> Option<String> {
    server.stop().await;
    last_use(&Server::start(database).await, keys, id).await
}

#[apply(on_default_database)]
async fn the_list_of_keys_shows_to_the_minute_when_a_load_last_used_one(database: Database) {
    let server = Server::start(&database).await;
    let (used, unused) = (client_key(&server, "Kiosk").await, client_key(&server, "Spare").await);
    used.browser.load_id("alice").await;
    assert_eq!(first_use(&server, CLIENT_KEYS, &used.id).await, "2026-11-21T10:00:00Z");
    assert_eq!(last_use(&server, CLIENT_KEYS, &unused.id).await, None);
    for (after, user) in [(59_999, "bob"), (60_000, "carol"), (119_999, "dave")] {
        server.clock.set(Instant(NOW.0 + after));
        used.browser.load_id(user).await;
    }
    let last = last_use_after_stop(server, &database, CLIENT_KEYS, &used.id).await;
    assert_eq!(last.as_deref(), Some("2026-11-21T10:01:00Z"));
}

#[apply(on_default_database)]
async fn reading_rules_and_evaluating_over_ofrep_use_a_key_as_well(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("staging").await;
    let id = json!(key.id);
    key.rules().await.ok(200);
    assert_eq!(first_use(&server, SERVER_KEYS, &id).await, "2026-11-21T10:00:00Z");

    server.clock.set(Instant(NOW.0 + 60_000));
    let ofrep = server.caller(Some(&key.text));
    ofrep.post("/ofrep/v1/evaluate/flags", &json!({ "context": { "targetingKey": "alice" } })).await.ok(200);
    let last = last_use_after_stop(server, &database, SERVER_KEYS, &id).await;
    assert_eq!(last.as_deref(), Some("2026-11-21T10:01:00Z"));
}

/// It takes 20 s: the database needs real time.
#[apply(on_sqlite)]
async fn a_key_with_an_open_stream_is_in_use(database: Database) {
    let server = Server::start(&database).await;
    let kiosk = client_key(&server, "Kiosk").await;
    let mut stream = kiosk.browser.open(&kiosk.browser.load_id("alice").await).await;
    server.clock.set(Instant(NOW.0 + 3_600_000));
    stream.expect_heartbeat().await;
    let last = last_use_after_stop(server, &database, CLIENT_KEYS, &kiosk.id).await;
    assert_eq!(last.as_deref(), Some("2026-11-21T11:00:00Z"));
}

#[apply(on_default_database)]
async fn a_request_that_is_refused_is_no_use(database: Database) {
    let server = Server::start(&database).await;
    let kiosk = client_key(&server, "Kiosk").await;
    let edit = json!({ "allowedOrigins": ["https://shop.example"] });
    server.administrator().patch(&environment("staging", ""), &edit).await.ok(200);
    let load = kiosk.browser.request(Method::POST, "/load").header("origin", "https://other.example");
    kiosk.browser.send(load.body(r#"{"user": {"id": "alice"}}"#)).await.problem(403, "origin-not-allowed");
    assert_eq!(last_use_after_stop(server, &database, CLIENT_KEYS, &kiosk.id).await, None);
}

#[apply(on_default_database)]
async fn a_change_of_other_keys_causes_no_further_write_and_deleted_keys_stop_none(database: Database) {
    let server = Server::start(&database).await;
    let (kiosk, revoked) = (client_key(&server, "Kiosk").await, client_key(&server, "Revoked").await);
    kiosk.browser.load_id("alice").await;
    first_use(&server, CLIENT_KEYS, &kiosk.id).await;
    // These wait, because the writer pauses.
    server.clock.set(Instant(NOW.0 + 30_000));
    kiosk.browser.load_id("alice").await;
    revoked.browser.load_id("alice").await;
    let administrator = server.administrator();
    let created = administrator.post("/api/v1/projects/shop/environments", &json!({ "key": "qa", "name": "QA" })).await;
    created.ok(201);
    let of_deleted = administrator.post(&environment("qa", CLIENT_KEYS), &json!({ "name": "QA" })).await.ok(201);
    server.browser_with(of_deleted["key"].as_str().unwrap()).load_id("alice").await;
    administrator.delete(&environment("qa", "")).await.ok(204);
    let path = format!("{}/{}", environment("staging", CLIENT_KEYS), revoked.id.as_str().unwrap());
    administrator.delete(&path).await.ok(204);

    let spare = client_key(&server, "Spare").await;
    spare.browser.load_id("alice").await;
    server.stop().await;
    let server = Server::start(&database).await;
    assert_eq!(last_use(&server, CLIENT_KEYS, &kiosk.id).await.as_deref(), Some("2026-11-21T10:00:00Z"));
    assert_eq!(last_use(&server, CLIENT_KEYS, &spare.id).await.as_deref(), Some("2026-11-21T10:00:30Z"));
}

#[apply(on_each_database)]
async fn a_load_is_answered_while_its_use_waits_for_the_database(database: Database) {
    let server = Server::start(&database).await;
    let kiosk = client_key(&server, "Kiosk").await;
    let mut other_write = server.app.store.write_bulk().await.unwrap();
    if database.engine() == Engine::Postgres {
        let connection = other_write.connection().await.unwrap();
        connection.execute("LOCK TABLE sdk_keys IN EXCLUSIVE MODE").await.unwrap();
    }
    for _ in 0..10 {
        kiosk.browser.load_id("alice").await;
    }
    assert_eq!(last_use(&server, CLIENT_KEYS, &kiosk.id).await, None);
    drop(other_write);
    assert_eq!(first_use(&server, CLIENT_KEYS, &kiosk.id).await, "2026-11-21T10:00:00Z");
}

#[apply(on_each_database)]
async fn after_its_task_was_killed_the_next_use_is_written(database: Database) {
    let server = Server::start(&database).await;
    let kiosk = client_key(&server, "Kiosk").await;
    let mut other_write = server.app.store.write_bulk().await.unwrap();
    if database.engine() == Engine::Postgres {
        let connection = other_write.connection().await.unwrap();
        connection.execute("LOCK TABLE sdk_keys IN EXCLUSIVE MODE").await.unwrap();
    }
    kiosk.browser.load_id("alice").await;
    timeout(HANG_TIMEOUT, server.app.node.background_tasks.kill(BackgroundTask::KeyUses)).await.unwrap();
    drop(other_write);
    server.clock.set(Instant(NOW.0 + 60_000));
    kiosk.browser.load_id("alice").await;
    let last = last_use_after_stop(server, &database, CLIENT_KEYS, &kiosk.id).await;
    assert_eq!(last.as_deref(), Some("2026-11-21T10:01:00Z"));
}

#[apply(on_postgres)]
async fn of_the_uses_on_two_nodes_the_later_one_is_shown(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    first.clock.set(Instant(NOW.0 + 120_000));
    for (node, user) in [(&first, "alice"), (&second, "bob")] {
        node.browser("staging").load_id(user).await;
    }
    let keys = first.read_only().get(&environment("staging", CLIENT_KEYS)).await.items();
    second.stop().await;
    let last = last_use_after_stop(first, &database, CLIENT_KEYS, &keys[0]["id"]).await;
    assert_eq!(last.as_deref(), Some("2026-11-21T10:02:00Z"));
}
