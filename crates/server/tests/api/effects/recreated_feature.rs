//! Deleting an archived feature needs the rights and approvals of all environments: a new one of its key has no protection.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::json;

use super::{approve, pending, require_in, set_lifecycle};
use crate::fixture::{Server, features, on_each_database, project};

#[apply(on_each_database)]
async fn an_editor_cannot_delete_and_recreate_a_feature_that_a_production_editor_archived(database: Database) {
    let server = Server::start(&database).await;
    let (editor, production_editor) = (server.editor(), server.production_editor());
    set_lifecycle(&production_editor, "reviews", "Archived").await.ok(200);
    let before = server.stored_rows().await;
    editor.delete(&features("/reviews")).await.problem(403, "forbidden");
    let again = json!({ "key": "reviews", "name": "Reviews" });
    editor.post(&features(""), &again).await.problem(409, "exists");
    server.assert_unchanged_since(&before).await;
    production_editor.delete(&features("/reviews")).await.ok(204);
    editor.post(&features(""), &again).await.ok(201);
}

#[apply(on_each_database)]
async fn deleting_a_protected_feature_needs_an_approval_and_deletes_it_when_approved(database: Database) {
    let server = Server::start(&database).await;
    let (requester, approver) = (server.production_editor(), server.administrator());
    set_lifecycle(&requester, "reviews", "Archived").await.ok(200);
    require_in(&server, "staging").await;
    let response = requester.delete(&features("/reviews")).await;
    let approval = pending(&response);
    let requested = response.ok(202);
    assert_eq!((&requested["kind"], &requested["environmentKey"]), (&json!("deletion"), &json!("staging")));
    assert_eq!(requested["feature"]["before"]["lifecycle"], "Archived");
    assert!(requested["feature"]["after"].is_null());
    requester.get(&features("/reviews")).await.ok(200);
    requester.delete(&features("/reviews")).await.problem(409, "pending-approval");
    approve(&requester, &approval).await.problem(403, "own-request");

    server.clock.set(Instant(server.app.now().0 + 1000));
    let (path, body) = (format!("{approval}/approve"), json!({}));
    let approved = approver.post_once(&path, "once", &body).await;
    assert_eq!(approved.ok(200)["state"], "approved");
    requester.get(&features("/reviews")).await.problem(404, "not-found");
    assert_eq!(approver.post_once(&path, "once", &body).await.ok(200), approved.ok(200));
    let log = format!("/api/v1/audit-log?resource={}", project("/features/reviews").trim_start_matches("/api/v1/"));
    let entry = &approver.get(&log).await.items()[0];
    assert_eq!(entry["action"], "feature.delete");
    assert_eq!(entry["after"]["approvedBy"]["name"], "Alma Lindqvist");
}
