//! Data keys are replaced by age: what they have encrypted is encrypted again while every node can read it, and deliveries continue.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagservice_rules::Instant;
use flagservice_server::app::App;
use flagservice_server::app::secrets::credentials;
use flagservice_server::domain::ids::IntegrationId;
use flagservice_server::domain::retention::Retention;
use flagservice_server::node::background_tasks::BackgroundTask;
use flagservice_server::store::delivery::integrations;
use flagservice_server::store::secrets::data_keys;
use macro_rules_attribute::apply;
use serde_json::json;
use tokio::time::timeout;

use crate::fixture::{
    Database, HANG_TIMEOUT, NOW, Obstacle, Receiver, Server, on_each_database, outbound, service, split, targeting,
    targeting_of,
};

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// A server that delivers to webhooks, and so many of them.
async fn start(database: &Database, hooks: usize) -> (Server, Receiver) {
    let server = Server::start_with_destinations(database, outbound("http://us.example", "http://eu.example")).await;
    let receiver = Receiver::start().await;
    for number in 0..hooks {
        let url = format!("{}/hooks/{number}", receiver.address());
        let new = json!({ "type": "webhook", "enabled": true, "configuration": { "webhook": { "url": url } } });
        server.administrator().post("/api/v1/admin/integrations/outbound", &new).await.ok(201);
    }
    (server, receiver)
}

async fn stored_credentials(server: &Server) -> Vec<(IntegrationId, String)> {
    integrations::all_credentials(&mut server.app.store.read().await.unwrap()).await.unwrap()
}

/// The id of the data key of each integration's credentials.
async fn keys_in_use(server: &Server) -> Vec<u32> {
    let key = |sealed: &str| u32::from_be_bytes(*URL_SAFE_NO_PAD.decode(sealed).unwrap().first_chunk().unwrap());
    stored_credentials(server).await.iter().map(|(_, sealed)| key(sealed)).collect()
}

async fn data_key_ids(server: &Server) -> Vec<u64> {
    let stored = data_keys::list(&mut server.app.store.read().await.unwrap()).await.unwrap();
    stored.into_iter().map(|key| key.id).collect()
}

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let done = async {
        while !is_so().await {
            tokio::task::yield_now().await;
        }
    };
    timeout(HANG_TIMEOUT, done).await.unwrap_or_else(|_| panic!("{what}"));
}

/// Sets the clock, and waits until the turn of that time is over: an hour later, the next one has begun.
async fn finish_turn_at(server: &Server, at: Instant) {
    for began_at in [at, Instant(at.0 + HOUR_MS)] {
        server.clock.set(began_at);
        let row = ["2".to_owned(), began_at.0.to_string()];
        until("a turn of the rotation", async || {
            let stored = server.stored_rows().await;
            stored.rows("sweeps").iter().any(|columns| row.iter().all(|value| columns.contains(value)))
        })
        .await;
    }
}

/// That the node can read all stored secrets.
async fn assert_readable(server: &Server, node: &App) {
    for (id, sealed) in stored_credentials(server).await {
        assert!(credentials::open(node, &id, &sealed).await.unwrap().is_some(), "{id} cannot be read");
    }
}

/// Changes a feature, and waits until every webhook has been told.
async fn deliver(server: &Server, receiver: &Receiver, percentage: f64, hooks: usize) {
    let before = receiver.received().len();
    let change = targeting(&[split(percentage, 100.0 - percentage)]);
    server.administrator().put(&targeting_of("reviews", "staging"), &change).await.ok(200);
    receiver.receive(before + hooks).await;
}

#[apply(on_each_database)]
async fn after_90_days_each_stored_secret_has_a_new_key_and_deliveries_continue(database: Database) {
    let (server, receiver) = start(&database, 3).await;
    let (other, _) = service(&database, NOW).await.unwrap();
    deliver(&server, &receiver, 10.0, 3).await;
    finish_turn_at(&server, Instant(NOW.0 + 90 * DAY_MS - 2 * HOUR_MS)).await;
    assert_eq!((keys_in_use(&server).await, data_key_ids(&server).await), (vec![1, 1, 1], vec![1]));

    server.clock.set(Instant(NOW.0 + 90 * DAY_MS));
    let mut percentage = 20.0;
    until("every secret has the new key", async || {
        // All along, on both nodes.
        assert_readable(&server, &server.app).await;
        assert_readable(&server, &other.app).await;
        deliver(&server, &receiver, percentage, 3).await;
        percentage += 0.5;
        keys_in_use(&server).await == [2, 2, 2]
    })
    .await;
    deliver(&server, &receiver, 95.0, 3).await;
    other.stop().await;
    assert_eq!(data_key_ids(&server).await, [1, 2]);
    let metrics = server.anonymous().get("/metrics").await.text;
    for line in ["data_keys_rotated_total 1", "data_key_rotation_errors_total 0"] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

#[apply(on_each_database)]
async fn a_replaced_key_is_removed_a_day_later_once_nothing_needs_it(database: Database) {
    let (server, _receiver) = start(&database, 1).await;
    let (_, old) = stored_credentials(&server).await.remove(0);
    server.clock.set(Instant(NOW.0 + 90 * DAY_MS));
    until("the new key", async || keys_in_use(&server).await == [2]).await;
    finish_turn_at(&server, Instant(NOW.0 + 91 * DAY_MS - 2 * HOUR_MS)).await;
    assert_eq!(data_key_ids(&server).await, [1, 2]);

    // A node that did not know the new key yet has written with the old one.
    let (id, new) = stored_credentials(&server).await.remove(0);
    let mut write = server.app.store.write().await.unwrap();
    assert!(integrations::reseal_unchanged(write.connection().await.unwrap(), &id, &new, &old).await.unwrap());
    write.commit().await.unwrap();
    server.clock.set(Instant(NOW.0 + 91 * DAY_MS));
    until("only the new key is left", async || data_key_ids(&server).await == [2]).await;
    assert_eq!(keys_in_use(&server).await, [2]);
    assert_readable(&server, &server.app).await;
}

#[apply(on_each_database)]
async fn a_rotation_that_is_interrupted_loses_nothing_and_is_continued(database: Database) {
    const HOOKS: usize = 25;
    const HALF: usize = 12;
    let (server, receiver) = start(&database, HOOKS).await;
    let (refused, _) = stored_credentials(&server).await.swap_remove(HALF);
    let obstacle = Obstacle {
        before: "UPDATE OF credentials ON integrations",
        when: &format!("OLD.id = '{refused}'"),
        sqlite: "SELECT RAISE(ABORT, 'an obstacle')",
        postgres: "RAISE 'an obstacle'",
    };
    obstacle.put(&database, &server).await;
    server.clock.set(Instant(NOW.0 + 90 * DAY_MS));
    until("the rotation is interrupted", async || {
        server.anonymous().get("/metrics").await.text.contains("data_key_rotation_errors_total 1")
    })
    .await;
    let halfway = [vec![2; HALF], vec![1; HOOKS - HALF]].concat();
    assert_eq!(keys_in_use(&server).await, halfway);
    assert_readable(&server, &server.app).await;
    Obstacle::remove(&database, &server).await;
    timeout(HANG_TIMEOUT, server.app.node.background_tasks.kill(BackgroundTask::KeyRotation)).await.unwrap();
    assert_eq!(keys_in_use(&server).await, halfway);
    deliver(&server, &receiver, 10.0, HOOKS).await;
    // The next turn is an hour later.
    server.clock.set(Instant(NOW.0 + 90 * DAY_MS + HOUR_MS));
    until("every secret has the new key", async || keys_in_use(&server).await == [2; HOOKS]).await;
    assert_eq!(data_key_ids(&server).await, [1, 2]);
    assert_readable(&server, &server.app).await;
    deliver(&server, &receiver, 20.0, HOOKS).await;
}

#[apply(on_each_database)]
async fn the_operator_decides_how_old_a_data_key_gets_and_that_it_stays(database: Database) {
    let retention = Retention { data_key: None, ..Retention::default() };
    let server = Server::start_with_retention(&database, retention).await;
    finish_turn_at(&server, Instant(NOW.0 + 1_000 * DAY_MS)).await;
    assert_eq!(data_key_ids(&server).await, [1]);
    server.stop().await;
    let retention = Retention { data_key: Some(Duration::from_hours(7 * 24)), ..Retention::default() };
    let server = Server::start_with_retention(&database, retention).await;
    server.clock.set(Instant(NOW.0 + 1_001 * DAY_MS));
    until("a new key", async || data_key_ids(&server).await == [1, 2]).await;
}

#[apply(on_each_database)]
async fn a_rotation_without_the_key_file_changes_nothing_and_is_counted(database: Database) {
    let (server, _receiver) = start(&database, 1).await;
    let (file, aside) = (database.key_file(), database.folder().join("aside.key"));
    std::fs::rename(&file, &aside).unwrap();
    server.clock.set(Instant(NOW.0 + 90 * DAY_MS));
    until("the error is counted", async || {
        server.anonymous().get("/metrics").await.text.contains("data_key_rotation_errors_total 1")
    })
    .await;
    assert_eq!((keys_in_use(&server).await, data_key_ids(&server).await), (vec![1], vec![1]));
    std::fs::rename(&aside, &file).unwrap();
    server.clock.set(Instant(NOW.0 + 90 * DAY_MS + HOUR_MS));
    until("the new key", async || keys_in_use(&server).await == [2]).await;
}
