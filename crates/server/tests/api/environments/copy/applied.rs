//! An applied copy is a change like any other: streamed, audited, and with the outbox entries of a direct edit.

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::Row as _;

use super::{ALL, copy, differ, request, results, target, targeted};
use crate::fixture::{Server, at, everyone, on_default_database, on_each_database, targeting, targeting_of};

/// The latest changes in the outbox, newest first.
async fn latest_changes(server: &Server, limit: usize) -> Vec<Value> {
    let mut connection = server.app.store.read().await.unwrap();
    let rows = sqlx::query("SELECT change FROM outbox WHERE feature_id IS NOT NULL ORDER BY at DESC, version DESC")
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    let read = |row: &sqlx::any::AnyRow| serde_json::from_str(row.get::<&str, _>("change")).unwrap();
    rows.iter().take(limit).map(read).collect()
}

#[apply(on_default_database)]
async fn an_applied_copy_is_sent_on_open_streams_of_the_target(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let users = ["staging", "production"].map(|environment| server.browser(environment));
    let swede = json!({ "id": "alice", "attributes": { "country": "SE" } });
    let (there, here) = (users[0].load(&swede).await, users[1].load(&swede).await);
    assert_eq!((&*there.features["reviews"], &*here.features["reviews"]), ("on", "off"));
    let mut stream = users[1].open(&here).await;
    copy(&server.production_editor(), "reviews").await;
    assert_eq!(stream.patch().await, json!({ "reviews": "on" }));
    // It is in effect when the response arrives.
    assert_eq!(users[1].load(&swede).await.features["reviews"], "on");
}

#[apply(on_default_database)]
async fn a_copy_of_several_features_is_in_effect_when_the_response_arrives(database: Database) {
    let server = Server::start(&database).await;
    let features = ["reviews", "gift-cards", "new-checkout", "loyalty-points", "sticky-basket"];
    for feature in features {
        target(&server, feature, "staging", &targeting(&[everyone("on")])).await;
    }
    for variant in ["off", "on", "off", "on"] {
        for feature in features {
            target(&server, feature, "staging", &targeting(&[everyone(variant)])).await;
        }
        results(&server.production_editor(), &request(&features, &ALL)).await;
        let loaded = server.browser("production").load_id("alice").await;
        assert!(features.iter().all(|feature| loaded.features[*feature] == variant), "{variant}: {loaded:?}");
    }
}

#[apply(on_default_database)]
async fn a_copy_without_target_versions_says_which_version_it_replaced(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let seen = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200)["version"].clone();
    // Somebody else changes the target after the caller has seen it.
    target(&server, "reviews", "production", &targeting(&[everyone("on")])).await;
    let current = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200)["version"].clone();
    assert_ne!(current, seen);
    let mut dry = request(&["reviews", "nothing"], &ALL);
    dry["dryRun"] = json!(true);
    let predicted = results(&server.production_editor(), &dry).await;
    let copied = results(&server.production_editor(), &request(&["reviews", "nothing"], &ALL)).await;
    for found in [predicted, copied] {
        assert_eq!((&found[0]["replacedVersion"], &found[1].get("replacedVersion")), (&current, &None), "{found:?}");
    }
}

#[apply(on_default_database)]
async fn an_applied_copy_is_in_the_audit_log_with_its_source_and_its_comment(database: Database) {
    let server = Server::start(&database).await;
    let (source, goal) = differ(&server).await;
    server.clock.set(at("2026-11-21T11:00:00Z"));
    let mut request = request(&["reviews", "nothing"], &ALL);
    request["comment"] = json!("As tested this week.");
    results(&server.production_editor(), &request).await;
    let log = server.read_only().get("/api/v1/audit-log?from=2026-11-21T11:00:00Z").await.items();
    assert_eq!(log.len(), 1, "{log:?}");
    let entry = &log[0];
    assert_eq!((&entry["action"], &entry["userName"]), (&json!("targeting.update"), &json!("Pablo Reyes")));
    assert_eq!(
        (&entry["resource"], &entry["at"]),
        (&json!("projects/shop/features/reviews"), &json!("2026-11-21T11:00:00Z"))
    );
    let side = |targeting| json!([{ "environmentKey": "production", "targeting": targeting }]);
    assert_eq!((&entry["before"]["targetings"], &entry["after"]["targetings"]), (&side(goal), &side(source)));
    let after = &entry["after"];
    assert_eq!((&after["copiedFrom"], &after["comment"]), (&json!("staging"), &json!("As tested this week.")));
    // A missing or empty comment is not in the log.
    request.as_object_mut().unwrap().remove("comment");
    for comment in [None, Some("")] {
        differ(&server).await;
        request["comment"] = json!(comment);
        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        results(&server.production_editor(), &request).await;
        let entry = &server.read_only().get("/api/v1/audit-log?limit=1").await.items()[0];
        assert_eq!(entry["after"]["comment"], Value::Null);
    }
}

/// These are the example changes of outbound events in the specification: a rollout, a rule, and on or off.
#[apply(on_each_database)]
async fn an_applied_copy_writes_the_same_outbox_entries_as_a_direct_edit(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    let (source, goal) = differ(&server).await;
    for selected in super::SUBSETS {
        target(&server, "reviews", "production", &goal).await;
        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        results(&editor, &request(&["reviews"], selected)).await;
        let copied = latest_changes(&server, 1).await.remove(0);
        let after = targeted(&server, "reviews", "production").await;
        target(&server, "reviews", "production", &goal).await;
        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        let edit: Value = selected.iter().map(|setting| ((*setting).to_owned(), source[*setting].clone())).collect();
        editor.patch(&crate::fixture::targeting_of("reviews", "production"), &edit).await.ok(200);
        assert_eq!(targeted(&server, "reviews", "production").await, after, "{selected:?}");
        assert_eq!(copied, latest_changes(&server, 1).await.remove(0), "{selected:?}");
        assert_eq!(
            (&copied["featureName"], &copied["environmentName"], &copied["userName"]),
            (&json!("Reviews"), &json!("Production"), &json!("Pablo Reyes"))
        );
        assert!(!copied["aspects"].as_array().unwrap().is_empty(), "{copied}");
    }
}
