//! Editing a saved audience edits every use at once, so it is rejected if one of them could not be edited directly.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{decide, edit, request_change};
use crate::fixture::{Server, condition, environment, features, on_default_database, project, targeting_of};

fn conditions() -> Value {
    json!({ "conditions": [condition("country", "in", json!(["DK"]))] })
}

/// The uses of `nordics` in the demo.
const USES: [&str; 3] =
    ["express-delivery in development", "express-delivery in staging", "express-delivery in production"];

async fn assert_rejected(server: &Server, obstacle: &str) {
    let before = server.stored_rows().await;
    let path = project("/audiences/nordics");
    let refused = server.administrator().patch(&path, &conditions()).await.problem(409, "approval-required");
    let detail = refused["detail"].as_str().unwrap();
    for place in USES.into_iter().chain([obstacle]) {
        assert!(detail.contains(place), "{place}: {detail}");
    }
    server.assert_unchanged_since(&before).await;
    // The name is not part of any targeting.
    let name = format!("Nordics {}", before.count("audit_log"));
    server.editor().patch(&path, &json!({ "name": name })).await.ok(200);
}

#[apply(on_default_database)]
async fn an_audience_edit_is_rejected_with_all_uses_if_one_use_needs_approval(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let phase = json!({ "name": "Try", "environmentKey": "development", "approvalRequired": true });
    let pipeline = json!({ "key": "held", "name": "Held", "phases": [phase] });
    administrator.post(&project("/pipelines"), &pipeline).await.ok(201);
    let feature = features("/express-delivery");
    for (path, on, off, obstacle) in [
        (
            environment("staging", ""),
            json!({ "approvalRequired": true }),
            json!({ "approvalRequired": false }),
            "staging needs an approval",
        ),
        (
            feature.clone(),
            json!({ "approvalRequired": true }),
            json!({ "approvalRequired": false }),
            "production needs an approval",
        ),
        (feature, json!({ "pipelineKey": "held" }), json!({ "pipelineKey": null }), "development needs an approval"),
    ] {
        administrator.patch(&path, &on).await.ok(200);
        assert_rejected(&server, obstacle).await;
        administrator.patch(&path, &off).await.ok(200);
    }
    administrator.patch(&project("/audiences/nordics"), &conditions()).await.ok(200);
}

#[apply(on_default_database)]
async fn an_audience_edit_is_rejected_if_a_use_has_a_pending_change(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let gate = |on: bool| json!({ "approvalRequired": on });
    administrator.patch(&environment("staging", ""), &gate(true)).await.ok(200);
    let id = request_change(&server.editor(), "express-delivery", "staging", &edit()).await;
    administrator.patch(&environment("staging", ""), &gate(false)).await.ok(200);
    assert_rejected(&server, &id).await;
    decide(&server.editor(), &id, "cancel").await.ok(200);
    administrator.patch(&project("/audiences/nordics"), &conditions()).await.ok(200);
}

#[apply(on_default_database)]
async fn a_missing_permission_is_reported_first_and_names_all_uses(database: Database) {
    let server = Server::start(&database).await;
    server.administrator().patch(&environment("staging", ""), &json!({ "approvalRequired": true })).await.ok(200);
    let path = project("/audiences/nordics");
    let refused = server.editor().patch(&path, &conditions()).await.problem(403, "forbidden");
    for place in USES {
        assert!(refused["detail"].as_str().unwrap().contains(place), "{place}: {refused}");
    }
}

#[apply(on_default_database)]
async fn an_unused_audience_is_edited_without_approval(database: Database) {
    let server = Server::start(&database).await;
    for key in ["development", "staging", "production"] {
        server.administrator().patch(&environment(key, ""), &json!({ "approvalRequired": true })).await.ok(200);
    }
    let new = json!({ "key": "new", "name": "New", "conditions": [] });
    server.editor().post(&project("/audiences"), &new).await.ok(201);
    server.editor().patch(&project("/audiences/new"), &conditions()).await.ok(200);
    // Using it in a rule is an edit like any other.
    let rule = json!({ "name": "", "audienceKey": "new", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    server.editor().patch(&targeting_of("reviews", "staging"), &json!({ "rules": [rule] })).await.ok(202);
}
