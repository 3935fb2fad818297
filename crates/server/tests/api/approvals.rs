//! `/api/v1/projects/{projectKey}/approvals`: a change that needs approval is pending, and has no effect until it is approved.

mod audiences;
mod audit;
mod copies;
mod decisions;
mod gates;
mod pagination;
mod pending;
mod stale;
mod to_decide;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, environment, everyone, features, on_default_database, on_each_database, project, targeting,
    targeting_of,
};

/// A path below the list of approvals.
fn approvals(rest: &str) -> String {
    project(&format!("/approvals{rest}"))
}

/// Requires approval for every change of the feature.
async fn require_for_feature(server: &Server, feature: &str) {
    let path = features(&format!("/{feature}"));
    server.administrator().patch(&path, &json!({ "approvalRequired": true })).await.ok(200);
}

/// Requests a change that needs approval, and returns the id of the approval.
async fn request_change(caller: &Caller, feature: &str, environment: &str, edit: &Value) -> String {
    let pending = caller.patch(&targeting_of(feature, environment), edit).await.ok(202);
    pending["id"].as_str().unwrap().to_owned()
}

/// An edit that changes every targeting of the demo.
fn edit() -> Value {
    json!({ "rules": [everyone("on"), everyone("off")] })
}

async fn decide(caller: &Caller, id: &str, verb: &str) -> crate::fixture::ApiResponse {
    caller.post(&approvals(&format!("/{id}/{verb}")), &json!({})).await
}

#[apply(on_default_database)]
async fn an_edit_that_needs_approval_returns_202_with_the_approval_and_changes_nothing(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    let me = editor.get("/api/v1/me").await.ok(200);
    require_for_feature(&server, "reviews").await;
    let known = editor.get(&path).await;
    let browser = server.browser("staging");
    let (loaded, before) = (browser.load_id("alice").await, server.stored_rows().await);

    let body = json!({ "enabled": false, "comment": "Off for the weekend: \"quotes\"\n\u{202e}and more 🚩" });
    let response = editor.patch(&path, &body).await;
    let pending = response.ok(202);
    let id = pending["id"].as_str().unwrap();
    assert_eq!(response.header("location"), Some(approvals(&format!("/{id}")).as_str()));
    let mut expected_after = known.ok(200);
    let version = expected_after.as_object_mut().unwrap().remove("version").unwrap();
    expected_after.as_object_mut().unwrap().remove("served").unwrap();
    let was = expected_after.clone();
    expected_after["enabled"] = json!(false);
    let expected = json!({
        "id": id, "state": "pending", "featureKey": "reviews", "environmentKey": "staging", "kind": "edit",
        "sourceEnvironmentKey": null, "copyId": null, "requestedBy": { "id": me["id"], "name": "Edda Okafor" },
        "requestedAt": "2026-11-21T10:00:00Z", "comment": body["comment"],
        "reasons": [{ "gate": "feature", "pipelineKey": null, "pipelineName": null, "phaseName": null }],
        "scheduledFor": null, "settledAt": null,
        "targetVersion": version, "decidedBy": null, "decidedWith": null, "decidedAt": null, "before": was, "after": expected_after,
        "feature": null, "stale": null, "comments": [],
    });
    assert_eq!(pending, expected);
    let read = server.read_only().get(&approvals(&format!("/{id}"))).await;
    assert_eq!((read.ok(200), read.etag()), (expected, "\"1\"".to_owned()));
    // An ETag would be mistaken for that of the targeting.
    assert_eq!(response.header("etag"), None);

    // The targeting, its version, its outbox and the values of clients are unchanged.
    assert_eq!((editor.get(&path).await.ok(200), editor.get(&path).await.etag()), (known.ok(200), known.etag()));
    let after = server.stored_rows().await;
    assert_eq!(after.count("outbox"), before.count("outbox"));
    let written = before.differences(&after);
    assert!(written.iter().all(|row| row.starts_with("approvals:") || row.starts_with("audit_")), "{written:?}");
    assert_eq!(written.len(), 3, "{written:?}");
    let again = browser.load_id("alice").await;
    assert_eq!((again.features, again.since), (loaded.features, loaded.since));
}

#[apply(on_each_database)]
async fn put_needs_approval_like_patch(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "staging");
    require_for_feature(&server, "reviews").await;
    let mut body = targeting(&[everyone("on"), everyone("off")]);
    body["comment"] = json!("All of it");
    let pending = server.editor().put(&path, &body).await.ok(202);
    assert_eq!(pending["comment"], "All of it");
    body.as_object_mut().unwrap().remove("comment");
    // An inline audience without conditions matches everybody.
    for rule in body["rules"].as_array_mut().unwrap() {
        rule["conditions"] = json!([]);
    }
    assert_eq!(pending["after"], body);
}

#[apply(on_default_database)]
async fn an_edit_without_effect_or_with_errors_or_with_an_old_etag_needs_no_approval(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    require_for_feature(&server, "reviews").await;
    let known = editor.get(&path).await;
    let before = server.stored_rows().await;
    editor.patch(&path, &json!({ "enabled": true })).await.ok(200);
    assert_eq!(editor.patch(&path, &json!({ "offVariantKey": "purple" })).await.pointers(), ["/offVariantKey"]);
    assert_eq!(
        editor.patch(&path, &json!({ "enabled": false, "comment": "x".repeat(5001) })).await.pointers(),
        ["/comment"]
    );
    editor.patch_if(&path, "\"9999\"", &json!({ "enabled": false })).await.assert_stale("\"9999\"", &known.etag());
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn changes_that_no_user_notices_need_no_approval(database: Database) {
    let server = Server::start(&database).await;
    let production = server.production_editor();
    require_for_feature(&server, "reviews").await;
    for key in ["development", "staging", "production"] {
        let every = json!({ "approvalRequired": true });
        server.administrator().patch(&environment(key, ""), &every).await.ok(200);
    }
    let path = features("/reviews");
    for edit in [
        json!({ "name": "Opinions" }),
        json!({ "description": "What people think." }),
        json!({ "tags": ["voice"] }),
        json!({ "lifecycle": "Draft" }),
    ] {
        production.patch(&path, &edit).await.ok(200);
    }
    production.post(&features(""), &json!({ "key": "new", "name": "New", "approvalRequired": true })).await.ok(201);
    assert_eq!(production.get(&approvals("")).await.items().len(), 0);
}

#[apply(on_each_database)]
async fn approvals_are_listed_by_state_feature_and_environment_newest_first(database: Database) {
    let server = Server::start(&database).await;
    let (editor, reader) = (server.editor(), server.read_only());
    let mut ids = Vec::new();
    for (feature, environment) in [("reviews", "staging"), ("reviews", "development"), ("gift-cards", "staging")] {
        require_for_feature(&server, feature).await;
        // Ids are ordered by time.
        server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        ids.push(request_change(&editor, feature, environment, &edit()).await);
    }
    decide(&server.administrator(), &ids[1], "reject").await.ok(200);
    let list = async |query: &str| reader.get(&approvals(query)).await.column("id");
    assert_eq!(list("").await, [&*ids[2], &ids[1], &ids[0]]);
    assert_eq!(list("?state=pending").await, [&*ids[2], &ids[0]]);
    assert_eq!(list("?state=rejected").await, [&*ids[1]]);
    assert_eq!(list("?featureKey=reviews").await, [&*ids[1], &ids[0]]);
    assert_eq!(list("?environmentKey=staging&featureKey=reviews").await, [&*ids[0]]);
    assert_eq!(list("?environmentKey=development&state=pending").await, [""; 0]);
    let shown = &reader.get(&approvals("?state=rejected")).await.items()[0];
    assert_eq!((&shown["decidedBy"]["name"], &shown["state"]), (&json!("Alma Lindqvist"), &json!("rejected")));
    assert!(shown.get("before").is_none(), "a list contains no targeting: {shown}");
    reader.get(&approvals("?featureKey=nothing")).await.problem(404, "not-found");
    reader.get(&approvals("?environmentKey=nowhere")).await.problem(404, "not-found");
    reader.get(&approvals("?state=sleeping")).await.problem(400, "invalid-query");
}

#[apply(on_default_database)]
async fn an_approval_of_another_organisation_or_project_is_not_found(database: Database) {
    let server = Server::start(&database).await;
    require_for_feature(&server, "reviews").await;
    let id = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    server.administrator().post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    let before = server.stored_rows().await;
    let outsider = server.outsider().await;
    let others = before.count("users");
    for (caller, path) in [
        (&outsider, approvals(&format!("/{id}"))),
        (&server.administrator(), format!("/api/v1/projects/other/approvals/{id}")),
        (&server.administrator(), approvals("/nothing")),
    ] {
        caller.get(&path).await.problem(404, "not-found");
        for verb in ["approve", "reject", "cancel"] {
            let response = caller.post(&format!("{path}/{verb}"), &json!({})).await;
            response.problem(404, "not-found");
        }
        caller.post(&format!("{path}/comments"), &json!({ "comment": "Hello" })).await.problem(404, "not-found");
    }
    assert_eq!(server.stored_rows().await.count("users"), others + 1, "only the outsider is new");
    assert_eq!(server.read_only().get(&approvals(&format!("/{id}"))).await.ok(200)["state"], "pending");
}

#[apply(on_default_database)]
async fn approvals_are_deleted_with_their_feature_or_environment(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for feature in ["reviews", "gift-cards"] {
        require_for_feature(&server, feature).await;
    }
    let of_feature = request_change(&server.editor(), "reviews", "staging", &edit()).await;
    let of_environment = request_change(&server.editor(), "gift-cards", "development", &edit()).await;
    let comment = json!({ "comment": "Hm." });
    administrator.post(&approvals(&format!("/{of_feature}/comments")), &comment).await.ok(201);
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    administrator.delete(&features("/reviews")).await.ok(204);
    administrator.get(&approvals(&format!("/{of_feature}"))).await.problem(404, "not-found");
    administrator.delete(&environment("development", "")).await.ok(204);
    administrator.get(&approvals(&format!("/{of_environment}"))).await.problem(404, "not-found");
    let stored = server.stored_rows().await;
    assert_eq!((stored.count("approvals"), stored.count("approval_comments")), (0, 0));
    // The audit log keeps the request, and says that it does not wait any longer.
    let log = format!("/api/v1/audit-log?resource=projects/shop/approvals/{of_feature}");
    let mut actions = administrator.get(&log).await.column("action");
    actions.sort_by_key(Value::to_string);
    assert_eq!(actions, ["approval.cancel", "approval.comment", "approval.request"]);
}

#[apply(on_each_database)]
async fn a_request_for_a_feature_itself_is_found_by_every_environment_and_outlives_one(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, pablo) = (server.administrator(), server.production_editor());
    for gated in ["development", "staging"] {
        administrator.patch(&environment(gated, ""), &json!({ "approvalRequired": true })).await.ok(200);
    }
    let archive = async || {
        let pending = pablo.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(202);
        (pending["id"].as_str().unwrap().to_owned(), pending["environmentKey"].clone())
    };
    let (rejected, _) = archive().await;
    let remark = json!({ "comment": "Not yet" });
    administrator.post(&approvals(&format!("/{rejected}/reject")), &remark).await.ok(200);
    let (waiting, filed) = archive().await;
    assert_eq!(filed, "development");
    for key in ["development", "staging", "production"] {
        let listed = pablo.get(&approvals(&format!("?environmentKey={key}&state=pending"))).await.column("id");
        assert_eq!(listed, [&*waiting], "{key}");
    }

    administrator.delete(&environment("development", "")).await.ok(204);
    let read = async |id: &str| pablo.get(&approvals(&format!("/{id}"))).await.ok(200);
    let kept = read(&rejected).await;
    assert_eq!((&kept["state"], &kept["comments"][0]["text"]), (&json!("rejected"), &json!("Not yet")));
    let stale = read(&waiting).await;
    assert_eq!((&stale["state"], &stale["stale"]["because"]), (&json!("stale"), &json!("featureChanged")));
    let log = format!("/api/v1/audit-log?resource=projects/shop/approvals/{waiting}");
    assert_eq!(administrator.get(&log).await.column("action"), ["approval.stale", "approval.request"]);
    // The environment that still requires it can be asked again.
    assert_eq!(archive().await.1, "staging");
}

#[apply(on_default_database)]
async fn the_comment_on_an_edit_without_approval_is_in_the_audit_log(database: Database) {
    let server = Server::start(&database).await;
    server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
    let body = json!({ "enabled": false, "comment": "Kill switch" });
    let request = server.editor().request(Method::PATCH, &targeting_of("reviews", "staging")).json(&body);
    server.editor().send(request).await.ok(200);
    let entry = &server.read_only().get("/api/v1/audit-log?limit=1").await.items()[0];
    assert_eq!((&entry["action"], &entry["after"]["comment"]), (&json!("targeting.update"), &json!("Kill switch")));
}
