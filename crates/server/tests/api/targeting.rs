//! `/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}`: read, replace, update.

mod break_glass;
mod invalid;
mod served;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, everyone, on_default_database, project, split, targeting, targeting_of};

fn path() -> String {
    targeting_of("loyalty-points", "staging")
}

/// Replaces the targeting with `If-Match`.
async fn put_if(caller: &Caller, tag: &str, body: &Value) -> crate::fixture::ApiResponse {
    caller.send(caller.request(Method::PUT, &path()).header("if-match", tag).json(body)).await
}

#[apply(on_default_database)]
async fn targeting_is_returned_with_its_version_as_etag(database: Database) {
    let server = Server::start(&database).await;
    let response = server.read_only().get(&path()).await;
    let version = response.ok(200)["version"].as_u64().unwrap();
    assert_eq!(response.etag(), format!("\"{version}\""));
    let splits = json!([{ "variantKey": "on", "percentage": 50 }, { "variantKey": "off", "percentage": 50 }]);
    let rule = json!({ "name": "Half", "conditions": [], "splits": splits });
    let served = json!({ "summary": "on 50%", "onlyOffVariant": false, "conditionalRules": 0, "splits": splits });
    let expected =
        json!({ "enabled": true, "offVariantKey": "off", "rules": [rule], "served": served, "version": version });
    assert_eq!(response.ok(200), expected);
}

#[apply(on_default_database)]
async fn put_replaces_the_targeting_and_patch_only_the_given_fields(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let environments = editor.get(&project("/environments")).await.ok(200);
    let replaced = editor.put(&path(), &targeting(&[everyone("on")])).await;
    // The version of a targeting is the environment's version after its last change.
    let version = environments["items"][1]["version"].as_u64().unwrap() + 1;
    assert_eq!(replaced.etag(), format!("\"{version}\""));
    assert_eq!(replaced.ok(200)["rules"][0]["splits"], everyone("on")["splits"]);
    assert_eq!(server.browser("staging").load_id("alice").await.features["loyalty-points"], "on");

    let mut expected = replaced.ok(200);
    for (edit, off, version) in
        [(json!({ "enabled": false }), "off", version + 1), (json!({ "offVariantKey": "on" }), "on", version + 2)]
    {
        expected.as_object_mut().unwrap().extend(edit.as_object().unwrap().clone());
        let splits = json!([{ "variantKey": off, "percentage": 100 }]);
        expected["served"] = json!({
            "summary": format!("serves {off}"), "onlyOffVariant": true, "conditionalRules": 0, "splits": splits,
        });
        expected["version"] = json!(version);
        assert_eq!(editor.patch(&path(), &edit).await.ok(200), expected);
        assert_eq!(editor.get(&path()).await.ok(200), expected);
    }
    let emptied = editor.patch(&path(), &json!({ "rules": [] })).await.ok(200);
    assert_eq!((&emptied["rules"], &emptied["offVariantKey"]), (&json!([]), &json!("on")));
}

#[apply(on_default_database)]
async fn put_requires_all_fields(database: Database) {
    let editor = Server::start(&database).await.editor();
    for missing in ["enabled", "offVariantKey", "rules"] {
        let mut body = targeting(&[everyone("on")]);
        body.as_object_mut().unwrap().remove(missing);
        assert_eq!(editor.put(&path(), &body).await.pointers(), [""], "{missing}");
    }
}

#[apply(on_default_database)]
async fn every_change_leaves_one_audit_record_and_one_outbox_entry(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    server.editor().put(&path(), &targeting(&[split(25.5, 74.5)])).await.ok(200);
    let after = server.stored_rows().await;
    assert_eq!(after.count("audit_log"), before.count("audit_log") + 1);
    assert_eq!(after.count("outbox"), before.count("outbox") + 1);
    assert!(after.contains("25.5") && !before.contains("25.5"));
}

#[apply(on_default_database)]
async fn a_write_without_effect_leaves_no_audit_record(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let known = editor.get(&path()).await;
    let mut same = known.ok(200);
    for derived in ["version", "served"] {
        same.as_object_mut().unwrap().remove(derived).unwrap();
    }
    let before = server.stored_rows().await;
    for response in
        [editor.put(&path(), &same).await, editor.patch(&path(), &json!({})).await, editor.patch(&path(), &same).await]
    {
        assert_eq!((response.ok(200), response.etag()), (known.ok(200), known.etag()));
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn if_match_writes_only_over_the_given_version(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let seen = editor.get(&path()).await.etag();
    let current = put_if(&editor, &seen, &targeting(&[everyone("on")])).await;
    current.ok(200);
    let before = server.stored_rows().await;
    let stale = put_if(&editor, &seen, &targeting(&[])).await.problem(412, "stale");
    let detail = stale["detail"].as_str().unwrap();
    for version in [&seen, &current.etag()] {
        assert!(detail.contains(&format!("version {}", version.trim_matches('"'))), "{version}: {detail}");
    }
    server.assert_unchanged_since(&before).await;
    // `*` matches any version.
    put_if(&editor, "*", &targeting(&[])).await.ok(200);
}

#[apply(on_default_database)]
async fn a_change_to_another_feature_does_not_change_the_etag(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let seen = editor.get(&path()).await.etag();
    server.switch_search_suggestions("staging", false).await;
    put_if(&editor, &seen, &targeting(&[])).await.ok(200);
}

#[apply(on_default_database)]
async fn an_invalid_if_match_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let before = server.stored_rows().await;
    for tag in ["17", "\"seventeen\"", "\"\"", "\"-1\"", "W/\"17\"", ""] {
        put_if(&editor, tag, &targeting(&[])).await.problem(400, "invalid-if-match");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_not_found_error_names_the_missing_resource(database: Database) {
    let editor = Server::start(&database).await.editor();
    for (path, name) in [
        (targeting_of("nothing", "staging"), "feature 'nothing'"),
        (targeting_of("reviews", "nowhere"), "environment 'nowhere'"),
        ("/api/v1/projects/nobody/features/reviews/environments/staging".to_owned(), "project 'nobody'"),
    ] {
        for response in [editor.get(&path).await, editor.put(&path, &targeting(&[])).await] {
            let problem = response.problem(404, "not-found");
            assert!(problem["detail"].as_str().unwrap().contains(name), "{problem}");
        }
    }
}
