//! Every transition of an approval is audited, and runs once per `Idempotency-Key`.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approvals, edit, request_change, require_for_feature};
use crate::fixture::{Server, everyone, features, on_default_database};

/// Actions on a pending approval: the verb, the action in the audit log, and the resulting state.
const TRANSITIONS: [(&str, &str, &str); 5] = [
    ("approve", "approval.approve", "approved"),
    ("reject", "approval.reject", "rejected"),
    ("cancel", "approval.cancel", "cancelled"),
    ("comments", "approval.comment", "pending"),
    ("approve", "approval.stale", "stale"),
];

#[apply(on_default_database)]
async fn every_transition_is_in_the_audit_log_with_actor_time_before_and_after(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    require_for_feature(&server, "reviews").await;
    for (number, (verb, action, state)) in TRANSITIONS.into_iter().enumerate() {
        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        let rules: Vec<_> = (0..=number).map(|_| everyone("off")).collect();
        let id = request_change(&editor, "reviews", "staging", &json!({ "rules": rules, "comment": "Please" })).await;
        let resource = format!("projects/shop/approvals/{id}");
        let log = format!("/api/v1/audit-log?resource={resource}");
        assert_request_record(&administrator.get(&log).await.items()[0], rules);

        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        if state == "stale" {
            let open = json!({ "approvalRequired": false });
            administrator.patch(&features("/reviews"), &open).await.ok(200);
            administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
            server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        }
        let records = server.stored_rows().await.count("audit_log");
        let body = if verb == "comments" { json!({ "comment": "Why?" }) } else { json!({}) };
        let response = administrator.post(&approvals(&format!("/{id}/{verb}")), &body).await;
        let status = match state {
            "stale" => 409,
            "pending" => 201,
            _ => 200,
        };
        assert_eq!(response.status, status);
        let entry = &administrator.get(&log).await.items()[0];
        assert_eq!((&entry["action"], &entry["resource"]), (&json!(action), &json!(resource)));
        assert_eq!(entry["userName"], "Alma Lindqvist");
        let targeting_records = usize::from(state == "approved");
        assert_eq!(server.stored_rows().await.count("audit_log"), records + 1 + targeting_records, "{action}");
        if verb == "comments" {
            let after = json!({ "comment": "Why?", "featureKey": "reviews", "environmentKey": "staging" });
            assert_eq!((&entry["before"], &entry["after"]), (&Value::Null, &after));
            administrator.post(&approvals(&format!("/{id}/cancel")), &json!({})).await.ok(200);
        } else {
            assert_eq!((&entry["before"]["state"], &entry["after"]["state"]), (&json!("pending"), &json!(state)));
        }
        if targeting_records == 1 {
            let log = "/api/v1/audit-log?resource=projects/shop/features/reviews&limit=1";
            assert_targeting_record(&administrator.get(log).await.items()[0], &id);
        }
    }
}

/// Asserts that this is the record of a request for these rules.
fn assert_request_record(entry: &Value, mut rules: Vec<Value>) {
    assert_eq!((&entry["action"], &entry["userName"]), (&json!("approval.request"), &json!("Edda Okafor")));
    assert_eq!((&entry["before"], &entry["after"]["state"]), (&Value::Null, &json!("pending")));
    for rule in &mut rules {
        rule["conditions"] = json!([]);
    }
    let after = &entry["after"];
    assert_eq!((&after["comment"], &after["after"]["rules"]), (&json!("Please"), &json!(rules)));
}

/// Asserts that this is the record of the change that this approval applied.
fn assert_targeting_record(entry: &Value, approval: &str) {
    assert_eq!((&entry["action"], &entry["userName"]), (&json!("targeting.update"), &json!("Alma Lindqvist")));
    let after = &entry["after"];
    assert_eq!((&after["approvalId"], &after["comment"]), (&json!(approval), &json!("Please")));
    assert_eq!(after["requestedBy"]["name"], "Edda Okafor");
    assert_eq!(after["approvedBy"]["name"], "Alma Lindqvist");
}

#[apply(on_default_database)]
async fn an_action_on_an_approval_runs_once_per_idempotency_key(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    require_for_feature(&server, "reviews").await;
    let verbs = [("comments", 201), ("approve", 200), ("reject", 200), ("cancel", 200)];
    for (number, (verb, status)) in verbs.into_iter().enumerate() {
        let rules: Vec<_> = (0..=number).map(|_| everyone("off")).collect();
        let id = request_change(&server.editor(), "reviews", "staging", &json!({ "rules": rules })).await;
        let (path, key) = (approvals(&format!("/{id}/{verb}")), format!("key-{number}"));
        let body = json!({ "comment": "Once" });
        let first = administrator.post_once(&path, &key, &body).await;
        let before = server.stored_rows().await;
        let again = administrator.post_once(&path, &key, &body).await;
        server.assert_unchanged_since(&before).await;
        assert_eq!((again.ok(status), again.etag()), (first.ok(status), first.etag()), "{verb}");
        // A decision with a comment is one revision.
        assert_eq!(first.etag(), "\"2\"", "{verb}");
        let other = json!({ "comment": "Twice" });
        assert_eq!(administrator.post_once(&path, &key, &other).await.pointers(), ["/Idempotency-Key"]);
        if verb == "comments" {
            administrator.post(&approvals(&format!("/{id}/cancel")), &json!({})).await.ok(200);
        }
    }
}

#[apply(on_default_database)]
async fn the_etag_changes_with_each_comment_and_decision(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let path = approvals(&format!("/{id}"));
    let reader = server.read_only();
    assert_eq!(reader.get(&path).await.etag(), "\"1\"");
    let administrator = server.administrator();
    let commented = administrator.post(&format!("{path}/comments"), &json!({ "comment": "Hm" })).await;
    assert_eq!((commented.etag(), reader.get(&path).await.etag()), ("\"2\"".to_owned(), "\"2\"".to_owned()));
    let done = administrator.post(&format!("{path}/approve"), &json!({})).await;
    assert_eq!((done.etag(), reader.get(&path).await.etag()), ("\"3\"".to_owned(), "\"3\"".to_owned()));
}
