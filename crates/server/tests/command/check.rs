//! `check`: an intact database passes, and damage is reported.

use flagservice_rules::Instant;
use flagservice_server::domain::retention::Retention;
use flagservice_server::store::Connection;
use macro_rules_attribute::apply;
use sqlx::Connection as _;

use super::run::run;
use crate::fixture::{Engine, NOW, Server, eventually, on_each_database, on_each_empty_database};

/// Longer than changes are kept.
const EIGHT_DAYS_MS: i64 = 8 * 24 * 60 * 60 * 1000;

#[apply(on_each_database)]
async fn an_outbox_that_does_not_match_the_versions_is_reported(database: Database) {
    let output = run(&database, &["check"]).await.ok();
    assert!(output.contains("3 environments"), "{output}");
    sqlx::any::install_default_drivers();
    for (damage, repair, word) in [
        (
            "UPDATE environments SET version = version + 1",
            "UPDATE environments SET version = version - 1",
            "its outbox at",
        ),
        ("DELETE FROM outbox WHERE version = 2", "", "entries from 1 to"),
    ] {
        let mut connection = Connection::connect(database.url()).await.unwrap();
        sqlx::query(damage).execute(&mut connection).await.unwrap();
        let output = run(&database, &["check"]).await.expect_error(&[word, "Restore a backup"]);
        assert_eq!(output.lines().count(), 4, "one line for each environment: {output}");
        if !repair.is_empty() {
            sqlx::query(repair).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
    }
}

#[apply(on_each_database)]
async fn an_outbox_that_the_sweep_has_emptied_is_no_damage(database: Database) {
    let server = Server::start_with_retention(&database, Retention::default()).await;
    server.clock.set(Instant(NOW.0 + EIGHT_DAYS_MS));
    eventually("all changes are swept", async || server.stored_rows().await.count("outbox") == 0).await;
    run(&database, &["check"]).await.ok();
    server.switch_search_suggestions("staging", false).await;
    server.stop().await;
    run(&database, &["check"]).await.ok();
    // What is left still shows that a change is lost.
    sqlx::any::install_default_drivers();
    let mut connection = Connection::connect(database.url()).await.unwrap();
    sqlx::query("UPDATE environments SET version = version + 1").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let output = run(&database, &["check"]).await.expect_error(&["its outbox at", "Restore a backup"]);
    assert_eq!(output.lines().count(), 2, "the environment that has changed since: {output}");
}

#[apply(on_each_database)]
async fn rows_that_cannot_be_read_are_reported(database: Database) {
    sqlx::any::install_default_drivers();
    let mut connection = Connection::connect(database.url()).await.unwrap();
    for (table, damage) in [
        ("targetings", "UPDATE targetings SET targeting = '?'"),
        ("outbox", "UPDATE outbox SET change = '?' WHERE version = 1"),
        (
            "approvals",
            "INSERT INTO approvals (id, project_id, feature_id, environment_id, state, kind, requester_id, requester_name, comment,
                reasons, before_targeting, after_targeting, target_version, digest, revision, created_at)
             SELECT 'damaged', f.project_id, f.id, e.id, 'pending', 'edit', '', '', '', '[]', '?', '?', 1, '', 1, 0
                FROM features f JOIN environments e ON e.project_id = f.project_id LIMIT 1",
        ),
        (
            "integrations",
            "INSERT INTO integrations (id, organisation_id, kind, enabled, region, credentials, environment_ids, lease_holder,
                lease_fence, lease_beat, revision, created_at)
             SELECT 'damaged', id, '?', 1, 'US', '', '[]', '', 0, 0, 1, 0 FROM organisations",
        ),
    ] {
        sqlx::query(damage).execute(&mut connection).await.unwrap();
        run(&database, &["check"]).await.expect_error(&[&format!("of the table '{table}' cannot be read: ")]);
    }
    connection.close().await.unwrap();
}

#[apply(on_each_empty_database)]
async fn a_database_without_our_tables_is_left_as_it_is(database: Database) {
    sqlx::any::install_default_drivers();
    let tables = match database.engine() {
        Engine::Sqlite => {
            // As a full disk leaves it.
            std::fs::write(database.file(), b"").unwrap();
            "SELECT COUNT(*) FROM sqlite_master"
        }
        Engine::Postgres => "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'",
    };
    for command in [&["check"][..], &["user", "list"], &["export", "shop"], &["key", "rotate"], &["renew-epochs"]] {
        run(&database, command).await.expect_error(&["no Flag Service database", "--database-url", "restore a backup"]);
    }
    let mut connection = Connection::connect(database.url()).await.unwrap();
    let count: i64 = sqlx::query_scalar(tables).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    assert_eq!(count, 0);
    assert!(!database.key_file().exists());
    if database.engine() == Engine::Sqlite {
        assert_eq!(std::fs::metadata(database.file()).unwrap().len(), 0);
    }
}
