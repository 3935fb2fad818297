//! An approval is bound to the exact change: if the target has changed since, the approval is stale and has no effect.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approvals, decide, edit, request_change, require_for_feature};
use crate::fixture::{Server, condition, features, on_default_database, on_each_database, project, targeting_of};

async fn read(server: &Server, id: &str) -> Value {
    server.read_only().get(&approvals(&format!("/{id}"))).await.ok(200)
}

/// Asserts that the pending approval is shown as stale for this reason, that approving it is rejected and changes no targeting,
/// and that its state is stale afterwards.
async fn assert_stale(server: &Server, id: &str, place: &str, because: &str) {
    let waiting = read(server, id).await;
    assert_eq!((&waiting["state"], &waiting["stale"]["because"]), (&json!("pending"), &json!(because)), "{waiting}");
    assert!(!waiting["stale"]["detail"].as_str().unwrap().is_empty());
    let known = server.read_only().get(place).await.ok(200);
    let outbox = server.stored_rows().await.count("outbox");
    let approver = server.administrator();
    let refused = decide(&approver, id, "approve").await.problem(409, "approval-stale");
    let detail = refused["detail"].as_str().unwrap();
    assert!(
        detail.contains(waiting["stale"]["detail"].as_str().unwrap()) && detail.contains("othing was changed"),
        "{detail}"
    );
    let stale = read(server, id).await;
    assert_eq!((&stale["state"], &stale["stale"]), (&json!("stale"), &waiting["stale"]));
    assert_eq!(stale["decidedBy"]["name"], "Alma Lindqvist");
    assert_eq!(server.read_only().get(place).await.ok(200), known);
    let before = server.stored_rows().await;
    assert_eq!(before.count("outbox"), outbox);
    for verb in ["approve", "reject", "cancel"] {
        decide(&approver, id, verb).await.problem(409, "approval-stale");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn approving_fails_if_the_target_has_changed(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "staging");
    require_for_feature(&server, "reviews").await;
    let mut same = server.read_only().get(&path).await.ok(200);
    for derived in ["version", "served"] {
        same.as_object_mut().unwrap().remove(derived).unwrap();
    }
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    // Even if the new value equals the old one.
    server.write_without_gate("reviews", "staging", &same).await;
    assert_stale(&server, &id, &path, "targetChanged").await;
}

#[apply(on_default_database)]
async fn an_approval_is_stale_while_a_saved_audience_is_edited_or_deleted_and_not_restored(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    require_for_feature(&server, "reviews").await;
    let plans = |plan: &str| json!([condition("plan", "in", json!([plan]))]);
    let new = json!({ "key": "fresh", "name": "Fresh", "conditions": plans("pro") });
    editor.post(&project("/audiences"), &new).await.ok(201);
    let audience = project("/audiences/fresh");
    let rule =
        json!({ "name": "Fresh", "audienceKey": "fresh", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    let change = json!({ "rules": [rule] });
    let id = request_change(&editor, "reviews", "staging", &change).await;
    assert_eq!(read(&server, &id).await["stale"], Value::Null);
    editor.patch(&audience, &json!({ "name": "Fresher" })).await.ok(200);
    assert_eq!(read(&server, &id).await["stale"], Value::Null, "the name is not part of any targeting");
    editor.patch(&audience, &json!({ "conditions": plans("free") })).await.ok(200);
    assert_eq!(read(&server, &id).await["stale"]["because"], "audienceChanged");
    editor.patch(&audience, &json!({ "conditions": plans("pro") })).await.ok(200);
    assert_eq!(read(&server, &id).await["stale"], Value::Null);
    editor.patch(&audience, &json!({ "conditions": [] })).await.ok(200);
    assert_stale(&server, &id, &path, "audienceChanged").await;

    let id = request_change(&editor, "reviews", "staging", &change).await;
    editor.delete(&audience).await.ok(204);
    assert_stale(&server, &id, &path, "audienceChanged").await;
}

/// Removes the requirement of an approval: with it, nobody can archive the feature while a change is pending.
async fn open(server: &Server) {
    let path = features("/reviews");
    server.administrator().patch(&path, &json!({ "lifecycle": "Archived" })).await.problem(409, "pending-approval");
    server.administrator().patch(&path, &json!({ "approvalRequired": false })).await.ok(200);
}

#[apply(on_default_database)]
async fn an_approval_is_stale_if_the_feature_is_archived(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    open(&server).await;
    let archived = json!({ "lifecycle": "Archived" });
    server.production_editor().patch(&features("/reviews"), &archived).await.ok(200);
    assert_stale(&server, &id, &targeting_of("reviews", "staging"), "featureArchived").await;
}

#[apply(on_default_database)]
async fn an_approval_is_stale_if_a_variant_was_removed(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let new = json!({ "key": "paint", "name": "Paint", "variants": ["red", "green", "off"], "approvalRequired": true });
    editor.post(&features(""), &new).await.ok(201);
    let id = request_change(&editor, "paint", "staging", &json!({ "offVariantKey": "green" })).await;
    editor.patch(&features("/paint"), &json!({ "variants": ["red", "off"] })).await.ok(200);
    assert_stale(&server, &id, &targeting_of("paint", "staging"), "invalid").await;
}

#[apply(on_each_database)]
async fn an_approval_is_stale_if_the_new_owner_was_removed(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), features("/reviews"));
    let new = json!({ "name": "Nora", "role": "editor" });
    let owner = administrator.post("/api/v1/users", &new).await.ok(201)["id"].as_str().unwrap().to_owned();
    require_for_feature(&server, "reviews").await;
    let edit = json!({ "ownerId": owner, "lifecycle": "Archived" });
    let requested = server.production_editor().patch(&path, &edit).await.ok(202);
    administrator.delete(&format!("/api/v1/users/{owner}")).await.ok(204);
    assert_stale(&server, requested["id"].as_str().unwrap(), &path, "invalid").await;
}

#[apply(on_each_database)]
async fn an_approval_is_stale_if_its_requester_was_removed(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let colleague = server.colleague("Ines", Role::ProductionEditor).await;
    let person = colleague.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    let now = request_change(&colleague, "reviews", "staging", &edit()).await;
    let mut later = edit();
    later["scheduledFor"] = json!("2026-11-21T11:00:00Z");
    let later = request_change(&colleague, "reviews", "development", &later).await;
    server.administrator().delete(&format!("/api/v1/users/{person}")).await.ok(204);
    assert_stale(&server, &now, &targeting_of("reviews", "staging"), "invalid").await;
    assert_stale(&server, &later, &targeting_of("reviews", "development"), "invalid").await;
}

#[apply(on_default_database)]
async fn changes_outside_the_target_do_not_make_an_approval_stale(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    require_for_feature(&server, "reviews").await;
    let id = request_change(&editor, "reviews", "staging", &edit()).await;
    editor.patch(&features("/reviews"), &json!({ "name": "Opinions", "lifecycle": "Active" })).await.ok(200);
    editor.patch(&targeting_of("gift-cards", "staging"), &edit()).await.ok(200);
    let other = request_change(&editor, "reviews", "development", &edit()).await;
    decide(&administrator, &other, "approve").await.ok(200);
    administrator.patch(&project("/environments/staging"), &json!({ "name": "Stage" })).await.ok(200);
    assert_eq!(read(&server, &id).await["stale"], Value::Null);
    decide(&administrator, &id, "approve").await.ok(200);
}

#[apply(on_each_database)]
async fn a_stale_approval_allows_another_change_and_a_repeated_decision_gets_the_same_error(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    require_for_feature(&server, "reviews").await;
    let id = request_change(&editor, "reviews", "staging", &edit()).await;
    open(&server).await;
    for lifecycle in ["Archived", "Active"] {
        administrator.patch(&features("/reviews"), &json!({ "lifecycle": lifecycle })).await.ok(200);
        if lifecycle == "Archived" {
            let path = approvals(&format!("/{id}/approve"));
            let body = json!({ "comment": "Now" });
            let first = administrator.post_once(&path, "key", &body).await;
            first.problem(409, "approval-stale");
            let before = server.stored_rows().await;
            let again = administrator.post_once(&path, "key", &body).await;
            assert_eq!(again.problem(409, "approval-stale"), first.problem(409, "approval-stale"));
            server.assert_unchanged_since(&before).await;
        }
    }
    // The approver's comment is kept.
    assert_eq!(read(&server, &id).await["comments"][0]["text"], "Now");
    require_for_feature(&server, "reviews").await;
    let next = request_change(&editor, "reviews", "staging", &edit()).await;
    decide(&administrator, &next, "approve").await.ok(200);
}
