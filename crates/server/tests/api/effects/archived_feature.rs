//! Archiving and restoring a feature needs the approvals of all environments that serve it.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approve, pending, require_in, set_lifecycle, value};
use crate::fixture::{Server, everyone, features, on_default_database, project, targeting_of};

/// Makes one of the three gates protect the feature `reviews` in staging.
async fn protect(server: &Server, gate: &str) {
    let administrator = server.administrator();
    match gate {
        "environment" => require_in(server, "staging").await,
        "feature" => {
            administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
        }
        _ => {
            let phase = json!({ "name": "Try", "environmentKey": "staging", "approvalRequired": true });
            let new = json!({ "key": "release", "name": "Release", "phases": [phase] });
            administrator.post(&project("/pipelines"), &new).await.ok(201);
            administrator.patch(&features("/reviews"), &json!({ "pipelineKey": "release" })).await.ok(200);
        }
    }
}

#[apply(on_default_database)]
async fn a_feature_is_archived_and_restored_with_the_approval_that_its_environment_feature_or_phase_requires(
    database: Database,
) {
    let server = Server::start(&database).await;
    let (requester, approver) = (server.production_editor(), server.administrator());
    for gate in ["environment", "feature", "phase"] {
        protect(&server, gate).await;
        for (lifecycle, served_before) in [("Archived", true), ("Active", false)] {
            let before = server.stored_rows().await;
            let response = set_lifecycle(&requester, "reviews", lifecycle).await;
            let approval = pending(&response);
            assert_eq!(response.ok(202)["reasons"][0]["gate"], gate);
            let after = server.stored_rows().await;
            assert_eq!(after.count("outbox"), before.count("outbox"));
            assert_eq!(value(&server, "staging", "reviews").await != Value::Null, served_before, "{gate} {lifecycle}");
            approve(&requester, &approval).await.problem(403, "own-request");
            approve(&approver, &approval).await.ok(200);
            assert_eq!(value(&server, "staging", "reviews").await == Value::Null, served_before, "{gate} {lifecycle}");
        }
        let open = json!({ "approvalRequired": false, "pipelineKey": null });
        approver.patch(&features("/reviews"), &open).await.ok(200);
        let staging = crate::fixture::environment("staging", "");
        approver.patch(&staging, &json!({ "approvalRequired": false })).await.ok(200);
    }
}

#[apply(on_default_database)]
async fn an_approval_to_restore_a_feature_is_stale_if_the_feature_or_its_targeting_has_changed(database: Database) {
    let server = Server::start(&database).await;
    let (requester, approver) = (server.production_editor(), server.administrator());
    let (name, targeting) = (json!({ "name": "Opinions" }), json!({ "rules": [everyone("on")], "enabled": true }));
    for (path, edit) in [(features("/reviews"), name), (targeting_of("reviews", "production"), targeting)] {
        set_lifecycle(&approver, "reviews", "Archived").await.ok(200);
        require_in(&server, "staging").await;
        let approval = pending(&set_lifecycle(&requester, "reviews", "Active").await);
        approver.patch(&path, &edit).await.ok(200);
        approve(&approver, &approval).await.problem(409, "approval-stale");
        let shown = approver.get(&approval).await.ok(200);
        assert_eq!((&shown["state"], &shown["stale"]["because"]), (&json!("stale"), &json!("featureChanged")));
        assert_eq!(value(&server, "production", "reviews").await, Value::Null);
        let staging = crate::fixture::environment("staging", "");
        approver.patch(&staging, &json!({ "approvalRequired": false })).await.ok(200);
        set_lifecycle(&approver, "reviews", "Active").await.ok(200);
    }
}

#[apply(on_default_database)]
async fn changes_of_a_protected_feature_without_effect_need_no_approval(database: Database) {
    let server = Server::start(&database).await;
    require_in(&server, "production").await;
    for edit in [
        json!({ "name": "Opinions" }),
        json!({ "tags": ["voice"] }),
        json!({ "lifecycle": "Draft" }),
        json!({ "approvalRequired": true }),
    ] {
        server.editor().patch(&features("/reviews"), &edit).await.ok(200);
    }
}

#[apply(on_default_database)]
async fn a_change_that_needs_an_approval_cannot_change_the_pipeline_too(database: Database) {
    let server = Server::start(&database).await;
    protect(&server, "environment").await;
    let new = json!({ "key": "other", "name": "Other", "phases": [{ "name": "Go", "environmentKey": "staging" }] });
    server.administrator().post(&project("/pipelines"), &new).await.ok(201);
    let before = server.stored_rows().await;
    let both = json!({ "lifecycle": "Archived", "pipelineKey": "other" });
    let refused = server.production_editor().patch(&features("/reviews"), &both).await;
    assert_eq!(refused.pointers(), ["/pipelineKey"]);
    server.assert_unchanged_since(&before).await;
}
