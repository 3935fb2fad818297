//! The sweep: what has been kept long enough is removed, and nothing else.

use std::time::Duration;

use flagservice_rules::Instant;
use flagservice_server::app::serving::updates::{FollowedEnvironment, Updates};
use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::domain::retention::{Retention, SweptKind};
use flagservice_server::store::retention::sweep::{self, Periodic};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::AnyConnection;

use crate::fixture::{
    HANG_TIMEOUT, NOW, Server, environment, features, on_each_database, project, service, split, targeting,
    targeting_of,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn after_days(days: i64) -> Instant {
    Instant(NOW.0 + days * DAY_MS)
}

/// Waits until the table has so many rows.
async fn wait_for_rows(server: &Server, table: &str, count: usize) {
    let done = async {
        while server.stored_rows().await.count(table) != count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, done).await.unwrap_or_else(|_| panic!("{table} has other rows"));
}

/// Makes a row of each kind. Returns the path of a decided approval.
async fn fill(server: &Server) -> String {
    let (administrator, editor) = (server.administrator(), server.editor());
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let pending = editor.put(&targeting_of("reviews", "staging"), &targeting(&[split(20.0, 80.0)])).await.ok(202);
    let path = project(&format!("/approvals/{}", pending["id"].as_str().unwrap()));
    administrator.post(&format!("{path}/approve"), &json!({ "comment": "Yes" })).await.ok(200);
    editor.put(&targeting_of("reviews", "development"), &targeting(&[split(20.0, 80.0)])).await.ok(202);
    editor.sign_in().await;
    editor.post_once(&features(""), "one", &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    let goals = json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }]);
    server.browser("production").goals(&goals).await.ok(202);
    let key = server.server_key("staging").await;
    let summary = json!({ "id": "summary-1", "evaluations": { "reviews": { "on": 1 } } });
    key.send(key.request(Method::POST, "/goals").json(&summary)).await.ok(202);
    let person = administrator.post("/api/v1/users", &json!({ "name": "Nora", "role": "editor" })).await.ok(201);
    let link = format!("/api/v1/users/{}/setup-link", person["id"].as_str().unwrap());
    administrator.post(&link, &Value::Null).await.ok(201);
    let token = editor.post("/api/v1/tokens", &json!({ "name": "Other" })).await.ok(201);
    editor.delete(&format!("/api/v1/tokens/{}", token["id"].as_str().unwrap())).await.ok(204);
    let keys = environment("staging", "/client-keys");
    let key = administrator.post(&keys, &json!({ "name": "Other" })).await.ok(201);
    administrator.delete(&format!("{keys}/{}", key["id"].as_str().unwrap())).await.ok(204);
    let keys = project("/edge-keys");
    let key = administrator.post(&keys, &json!({ "name": "Other" })).await.ok(201);
    administrator.delete(&format!("{keys}/{}", key["id"].as_str().unwrap())).await.ok(204);
    path
}

#[apply(on_each_database)]
async fn each_kind_is_removed_after_its_time_and_not_before(database: Database) {
    let days = |days: u64| Some(Duration::from_hours(24 * days));
    let retention = Retention { audit_log: days(730), approvals: days(365), ..Retention::default() };
    let server = Server::start_with_retention(&database, retention).await;
    let approval = fill(&server).await;
    let before = server.stored_rows().await;
    let (tokens, keys) = (before.count("access_tokens"), before.count("sdk_keys"));
    // Days after which each is gone, and the rows that are left. Sessions and answers last for hours, links for a week.
    let steps = [
        (1, "sessions", 0),
        (1, "access_tokens", tokens - 1),
        (1, "sdk_keys", keys - 1),
        (1, "edge_keys", 0),
        (2, "idempotency_records", 0),
        (2, "evaluation_hours", 0),
        (8, "outbox", 0),
        (8, "setup_links", 0),
        (31, "evaluation_summaries", 0),
        (31, "evaluation_days", 0),
        (90, "goals", 0),
        (91, "goal_keys", 0),
        (366, "approvals", 1),
        (731, "audit_log", 0),
    ];
    let untouched = ["audit_log", "approvals", "goals", "goal_keys", "evaluation_days", "evaluation_summaries"];
    for (days, table, left) in steps {
        server.clock.set(Instant(after_days(days).0 + 60 * 60 * 1000));
        wait_for_rows(&server, table, left).await;
        let now = server.stored_rows().await;
        for later in
            untouched.iter().filter(|later| steps.iter().any(|(other, name, _)| name == *later && *other > days))
        {
            assert_eq!(now.count(later), before.count(later), "{later} after {days} days");
        }
    }
    server.administrator().get(&approval).await.problem(404, "not-found");
    // A pending approval waits for as long as it takes.
    let pending = server.read_only().get(&project("/approvals")).await.column("state");
    assert_eq!(pending, ["pending"]);
    let metrics = server.anonymous().get("/metrics").await.text;
    for line in ["swept_rows_total{kind=\"approvals\"} 1", "swept_rows_total{kind=\"goals\"} 1", "sweep_errors_total 0"]
    {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

/// Removes changes that are older, and returns how many.
async fn remove_changes(connection: &mut AnyConnection, before: Instant) -> u64 {
    sweep::remove(connection, SweptKind::Outbox, before, 1_000).await.unwrap()
}

/// In one transaction, so that nobody reads further meanwhile.
#[apply(on_each_database)]
async fn changes_that_an_integration_has_not_read_are_kept(database: Database) {
    let server = Server::start(&database).await;
    let hook = json!({ "type": "webhook", "enabled": true, "configuration": { "webhook": { "url": "https://hooks.example/" } } });
    server.administrator().post("/api/v1/admin/integrations/outbound", &hook).await.ok(201);
    for enabled in [false, true, false] {
        server.switch_search_suggestions("staging", enabled).await;
    }
    let all = server.stored_rows().await.count("outbox") as u64;
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let behind = "UPDATE fan_out_cursors SET version = version - 1";
    sqlx::query("DELETE FROM fan_out_cursors").execute(&mut *connection).await.unwrap();
    assert_eq!(remove_changes(connection, after_days(1)).await, 0);
    let cursors = "INSERT INTO fan_out_cursors (environment_id, version)
        SELECT environment_id, MAX(version) FROM outbox GROUP BY environment_id";
    sqlx::query(cursors).execute(&mut *connection).await.unwrap();
    sqlx::query(behind).execute(&mut *connection).await.unwrap();
    let environments: i64 = sqlx::query_scalar("SELECT COUNT(DISTINCT environment_id) FROM outbox")
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    assert_eq!(remove_changes(connection, after_days(1)).await, all - environments as u64);
    assert_eq!(remove_changes(connection, NOW).await, 0, "nothing is older");
}

#[apply(on_each_database)]
async fn a_node_that_has_not_read_removed_changes_reads_the_whole_environment(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.read_only().get(&environment("staging", "")).await.ok(200)["id"].clone();
    let staging = EnvironmentId::from(staging.as_str().unwrap().to_owned());
    let old = server.app.serving.snapshots.current(&staging).unwrap().snapshot;
    server.switch_search_suggestions("staging", false).await;
    server.switch_search_suggestions("staging", true).await;
    let edit = targeting(&[split(0.0, 100.0)]);
    server.administrator().put(&targeting_of("search-suggestions", "staging"), &edit).await.ok(200);
    let mut write = server.app.store.write().await.unwrap();
    let removed = remove_changes(write.connection().await.unwrap(), after_days(1)).await;
    assert!(removed >= 3);
    write.commit().await.unwrap();

    let current = server.app.serving.snapshots.current(&staging).unwrap().snapshot;
    let mut updates = Updates::open(&server.app).await.unwrap();
    let Ok(FollowedEnvironment::Changed(read)) = updates.environment(&staging, Some(&*old)).await else {
        panic!("no change")
    };
    assert_eq!(read.version, current.version);
    // What did not change is shared with the old snapshot where only changes were read.
    let shared =
        read.features.iter().filter(|feature| old.features.iter().any(|known| std::sync::Arc::ptr_eq(known, feature)));
    assert_eq!(shared.count(), 0, "the environment was read as a whole");
}

#[apply(on_each_database)]
async fn one_node_at_a_time_takes_the_sweep(database: Database) {
    // A server would take turns itself.
    let (service, _clock) = service(&database, NOW).await.unwrap();
    let claim = async |now: Instant| {
        let mut write = service.app.store.write().await.unwrap();
        let since = Instant(now.0 - 30 * 60 * 1000);
        let taken = sweep::claim(write.connection().await.unwrap(), Periodic::Sweep, now, since).await.unwrap();
        write.commit().await.unwrap();
        taken
    };
    assert!(claim(after_days(2)).await);
    assert!(!claim(after_days(2)).await, "another node has it");
    assert!(claim(Instant(after_days(2).0 + 30 * 60 * 1000)).await, "that node may be gone");
    assert!(claim(after_days(1)).await, "a clock that was ahead stops nobody");
    service.stop().await;
}

#[apply(on_each_database)]
async fn the_audit_log_and_approvals_are_kept_unless_the_operator_limits_them(database: Database) {
    let server = Server::start(&database).await;
    let approval = fill(&server).await;
    let before = server.stored_rows().await;
    server.clock.set(after_days(3_650));
    wait_for_rows(&server, "goals", 0).await;
    wait_for_rows(&server, "idempotency_records", 0).await;
    let after = server.stored_rows().await;
    for table in ["audit_log", "audit_environments", "approvals"] {
        assert_eq!(after.count(table), before.count(table), "{table}");
    }
    assert_eq!(server.read_only().get(&approval).await.ok(200)["state"], "approved");
}

#[test]
fn what_is_kept_for_ever_does_not_end() {
    let retention = Retention { goals: None, ..Retention::default() };
    assert_eq!(retention.ends_before(SweptKind::AuditLog, NOW), None);
    assert_eq!(retention.ends_before(SweptKind::Approvals, NOW), None);
    assert_eq!(retention.ends_before(SweptKind::GoalKeys, NOW), None);
    assert_eq!(retention.ends_before(SweptKind::Outbox, NOW), Some(after_days(-7)));
}
