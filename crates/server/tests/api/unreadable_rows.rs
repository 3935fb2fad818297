//! One stored row that cannot be read is set aside and reported. The server starts, and everything else works.

use flagservice_server::domain::changes::flag_change::FlagChange;
use flagservice_server::domain::ids::{ChangeId, EnvironmentId, FeatureId};
use flagservice_server::node::background_tasks::BackgroundTask;
use flagservice_server::store::changes::outbox::NewEntry;
use macro_rules_attribute::apply;
use serde_json::json;
use sqlx::{AssertSqlSafe, Row as _};

use super::integrations::{create, integration, log, path, settled, start};
use crate::fixture::{Reply, Server, features, on_each_database, targeting_of};

/// Damage of one row of a table that is served.
struct Damage {
    table: &'static str,
    column: &'static str,
    /// The condition of the row.
    row: &'static str,
    text: &'static str,
    /// The feature that production is served without.
    missing: Option<&'static str>,
}

const IN_PRODUCTION: &str = "feature_id = (SELECT id FROM features WHERE key = 'search-suggestions')
     AND environment_id = (SELECT id FROM environments WHERE key = 'production')";

const DAMAGES: [Damage; 6] = [
    Damage {
        table: "targetings",
        column: "targeting",
        row: IN_PRODUCTION,
        text: r#"{"enabled":7}"#,
        missing: Some("search-suggestions"),
    },
    Damage {
        table: "targetings",
        column: "targeting",
        row: IN_PRODUCTION,
        text: "?",
        missing: Some("search-suggestions"),
    },
    Damage {
        table: "features",
        column: "variants",
        row: "key = 'search-suggestions'",
        text: "[",
        missing: Some("search-suggestions"),
    },
    Damage {
        table: "audiences",
        column: "conditions",
        row: "key = 'nordics'",
        text: "{}",
        missing: Some("express-delivery"),
    },
    Damage { table: "environments", column: "allowed_origins", row: "key = 'staging'", text: "?", missing: None },
    Damage {
        table: "sdk_keys",
        column: "kind",
        row: "environment_id = (SELECT id FROM environments WHERE key = 'staging')",
        text: "?",
        missing: None,
    },
];

impl Damage {
    /// Writes a text into the column, and returns the one before.
    async fn write(&self, server: &Server, text: &str) -> String {
        let Self { table, column, row, .. } = self;
        let mut write = server.app.store.write().await.unwrap();
        let connection = write.connection().await.unwrap();
        let select = AssertSqlSafe(format!("SELECT {column} FROM {table} WHERE {row}"));
        let before = sqlx::query_scalar(select).fetch_one(&mut *connection).await.unwrap();
        let update = AssertSqlSafe(format!("UPDATE {table} SET {column} = $1 WHERE {row}"));
        sqlx::query(update).bind(text).execute(&mut *connection).await.unwrap();
        write.commit().await.unwrap();
        before
    }
}

async fn execute(server: &Server, statement: &'static str) {
    let mut write = server.app.store.write().await.unwrap();
    sqlx::query(statement).execute(write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();
}

/// The tables of the rows that are set aside, according to the health check and to the metrics.
async fn set_aside(server: &Server) -> Vec<String> {
    let ready = server.anonymous().get("/health/ready").await.ok(200);
    assert_eq!(ready["status"], "ready");
    let rows = ready["setAside"].as_array().cloned().unwrap_or_default();
    let tables: Vec<_> = rows.iter().map(|row| row["table"].as_str().unwrap().to_owned()).collect();
    let metrics = server.anonymous().get("/metrics").await.text;
    for table in &tables {
        assert!(metrics.contains(&format!("flagservice_unreadable_rows{{table=\"{table}\"}} 1")), "{metrics}");
    }
    assert_eq!(metrics.matches("flagservice_unreadable_rows{").count(), tables.len(), "{metrics}");
    tables
}

#[apply(on_each_database)]
async fn a_server_starts_without_a_row_that_cannot_be_read_and_serves_the_rest(database: Database) {
    let mut server = Server::start(&database).await;
    let expected = server.browser("production").load_id("alice").await.features;
    for damage in DAMAGES {
        let intact = damage.write(&server, damage.text).await;
        server.stop().await;
        server = Server::start(&database).await;
        let mut served = expected.clone();
        if let Some(missing) = damage.missing {
            served.remove(missing).unwrap();
        }
        assert_eq!(server.browser("production").load_id("alice").await.features, served, "{}", damage.table);
        assert_eq!(set_aside(&server).await, [damage.table]);
        if damage.missing.is_none() {
            let staging = server.browser("staging").post_load("{\"user\":{\"id\":\"alice\"}}").await;
            staging.problem(404, "unknown-client-key");
        }
        damage.write(&server, &intact).await;
    }
    server.stop().await;
    server = Server::start(&database).await;
    assert_eq!(server.browser("production").load_id("alice").await.features, expected);
    let nothing: [&str; 0] = [];
    assert_eq!(set_aside(&server).await, nothing);
}

#[apply(on_each_database)]
async fn requests_for_what_cannot_be_read_say_so_and_others_work(database: Database) {
    let server = Server::start(&database).await;
    DAMAGES[0].write(&server, DAMAGES[0].text).await;
    let administrator = server.administrator();
    let path = targeting_of("search-suggestions", "production");
    for refused in [administrator.get(&path).await, administrator.patch(&path, &json!({ "enabled": false })).await] {
        let detail = refused.problem(500, "unreadable")["detail"].clone();
        assert!(detail.as_str().unwrap().contains("flagservice-server check"), "{detail}");
    }
    let listed = administrator.get(&features("?environments=true&limit=200")).await.items();
    for feature in &listed {
        let count = feature["environments"].as_array().unwrap().len();
        assert_eq!(count, if feature["key"] == "search-suggestions" { 2 } else { 3 }, "{feature}");
    }
    administrator.patch(&targeting_of("reviews", "production"), &json!({ "enabled": false })).await.ok(200);
    administrator.get(&targeting_of("search-suggestions", "staging")).await.ok(200);
}

/// Writes an entry to the outbox, as a change of a feature in production does, after damaging it with this statement.
async fn change_with(server: &Server, feature: &str, statement: &'static str) {
    let ids = "SELECT e.id AS environment, f.id AS feature FROM environments e, features f
         WHERE e.key = 'production' AND f.key = $1";
    let mut write = server.app.begin().await.unwrap();
    let row = sqlx::query(ids).bind(feature).fetch_one(write.connection().await.unwrap()).await.unwrap();
    let (environment_id, feature_id): (EnvironmentId, FeatureId) =
        (row.get::<String, _>("environment").into(), row.get::<String, _>("feature").into());
    let entry = NewEntry {
        environment_id: &environment_id,
        change_id: &ChangeId::new(&*server.app.random, server.app.now()),
        feature_id: Some(&feature_id),
        at: server.app.now(),
        change: &FlagChange::Variants { feature_key: feature.to_owned() },
    };
    write.publish(&entry).await.unwrap();
    sqlx::query(statement).execute(write.connection().await.unwrap()).await.unwrap();
    server.app.commit(write).await.unwrap();
}

#[apply(on_each_database)]
async fn a_feature_that_becomes_unreadable_keeps_its_last_values(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let before = browser.load_id("alice").await.features;
    const DAMAGE: &str = "UPDATE targetings SET targeting = '?' WHERE feature_id =
         (SELECT id FROM features WHERE key = 'search-suggestions')";
    change_with(&server, "search-suggestions", DAMAGE).await;
    assert_eq!(set_aside(&server).await, ["targetings"]);
    assert_eq!(browser.load_id("alice").await.features, before);
    server.administrator().patch(&targeting_of("reviews", "production"), &json!({ "enabled": false })).await.ok(200);
    assert_eq!(browser.load_id("alice").await.features["search-suggestions"], before["search-suggestions"]);
    assert_eq!(set_aside(&server).await, ["targetings"]);
}

#[apply(on_each_database)]
async fn an_unreadable_outbox_entry_does_not_hold_up_the_next_changes(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    const DAMAGE: &str = "UPDATE outbox SET change = '?' WHERE version = (SELECT MAX(version) FROM outbox o
         WHERE o.environment_id = outbox.environment_id)
         AND environment_id = (SELECT id FROM environments WHERE key = 'production')";
    change_with(&server, "search-suggestions", DAMAGE).await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(receiver.labels(1).await, ["Alma Lindqvist updated Search suggestions in Production"]);
    assert_eq!(settled(&server, &id, 1).await.len(), 1);
    assert_eq!(set_aside(&server).await, ["outbox"]);
}

#[apply(on_each_database)]
async fn an_unreadable_delivery_fails_and_the_next_ones_are_sent(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    receiver.reply_next([Reply::Hang(Vec::new())]);
    for enabled in [false, true, false] {
        server.switch_search_suggestions("production", enabled).await;
    }
    // The first is in progress, and the others wait.
    receiver.receive(1).await;
    while log(&server, &id).await.len() < 3 {
        tokio::task::yield_now().await;
    }
    execute(&server, "UPDATE deliveries SET change = '?' WHERE position = (SELECT MIN(position) + 1 FROM deliveries)")
        .await;
    server.app.node.background_tasks.kill(BackgroundTask::Worker).await;
    let kinds: Vec<_> = receiver.receive(3).await.iter().map(|request| request.field("details")).collect();
    assert!(kinds.iter().all(|details| details.ends_with("Change: Flag disabled")), "{kinds:?}");
    let log = settled(&server, &id, 2).await;
    assert_eq!(log.iter().map(|delivery| &delivery["state"]).collect::<Vec<_>>(), ["delivered", "delivered"]);
    assert_eq!(set_aside(&server).await, ["deliveries"]);
    let metrics = server.anonymous().get("/metrics").await.text;
    assert!(metrics.contains("flagservice_annotations_failed_total 1"), "{metrics}");
}

#[apply(on_each_database)]
async fn an_integration_whose_filter_cannot_be_read_does_not_hold_up_the_others(database: Database) {
    let (server, receiver) = start(&database).await;
    create(&server, &integration("US")).await;
    let other = create(&server, &integration("EU")).await;
    execute(&server, "UPDATE integrations SET environment_ids = '?' WHERE region = 'US'").await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(receiver.labels(1).await, ["Alma Lindqvist updated Search suggestions in Production"]);
    assert_eq!(settled(&server, &other, 1).await.len(), 1);
    assert_eq!(set_aside(&server).await, ["integrations"]);
    let listed = server.administrator().get(&path("")).await.items();
    assert_eq!(listed.iter().map(|integration| &integration["id"]).collect::<Vec<_>>(), [&json!(other)]);
}

#[apply(on_each_database)]
async fn deliveries_wait_until_their_integration_can_be_read(database: Database) {
    let (server, receiver) = start(&database).await;
    let id = create(&server, &integration("US")).await;
    let other = create(&server, &integration("EU")).await;
    execute(&server, "UPDATE integrations SET region = '?' WHERE region = 'US'").await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(settled(&server, &other, 1).await.len(), 1);
    while server.anonymous().get("/health/ready").await.ok(200)["setAside"].as_array().is_none_or(Vec::is_empty) {
        tokio::task::yield_now().await;
    }
    assert_eq!(set_aside(&server).await, ["integrations"]);
    assert_eq!(receiver.received().len(), 1);
    execute(&server, "UPDATE integrations SET region = 'US' WHERE region = '?'").await;
    assert_eq!(settled(&server, &id, 1).await[0]["state"], "delivered");
    assert_eq!(receiver.received().len(), 2);
}
