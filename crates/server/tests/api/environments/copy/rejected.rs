//! Requests that are rejected as a whole and change nothing.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, differ, environment, path, project, request, results};
use crate::fixture::{Server, on_default_database};

/// The request with one invalid field.
fn with(field: &str, value: Value) -> Value {
    let mut request = request(&["reviews"], &ALL);
    request[field] = value;
    request
}

#[apply(on_default_database)]
async fn a_malformed_request_is_rejected_with_its_pointer_and_changes_nothing(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let (caller, before) = (server.production_editor(), server.stored_rows().await);
    let none = json!({ "enabled": false, "offVariantKey": false, "rules": false });
    let many: Vec<_> = (0..1001).map(|number| format!("feature-{number}")).collect();
    for (field, value, pointer) in [
        ("target", json!("staging"), "/target"),
        ("source", json!("production"), "/target"),
        ("settings", json!({}), "/settings"),
        ("settings", none, "/settings"),
        ("settings", json!({ "salt": true }), "/settings/salt"),
        ("settings", json!({ "rules": "yes" }), "/settings/rules"),
        ("settings", json!("rules"), "/settings"),
        ("featureKeys", json!([]), "/featureKeys"),
        ("featureKeys", json!(many), "/featureKeys"),
        ("featureKeys", json!(vec!["reviews"; 1001]), "/featureKeys"),
        ("featureKeys", json!("reviews"), "/featureKeys"),
        ("featureKeys", json!(["reviews", 1]), "/featureKeys/1"),
        ("source", json!("two words"), "/source"),
        ("target", Value::Null, "/target"),
        ("comment", json!("x".repeat(5001)), "/comment"),
        ("comment", json!("a\u{0}b"), "/comment"),
        ("targetVersions", json!({ "reviews": -1 }), "/targetVersions/reviews"),
        ("targetVersions", json!([1]), "/targetVersions"),
        ("sourceVersions", json!({ "reviews": "1" }), "/sourceVersions/reviews"),
        ("dryRun", json!("no"), "/dryRun"),
        ("colour", json!("red"), "/colour"),
    ] {
        let request = with(field, value);
        for once in [false, true] {
            let response = if once {
                caller.post_once(&path(), "key", &request).await
            } else {
                caller.post(&path(), &request).await
            };
            let shown = request[field].to_string().chars().take(80).collect::<String>();
            assert_eq!(response.pointers(), [pointer], "{field}: {shown}");
        }
    }
    for field in ["source", "target", "featureKeys", "settings"] {
        let mut request = request(&["reviews"], &ALL);
        request.as_object_mut().unwrap().remove(field);
        let response = caller.post(&path(), &request).await;
        assert_eq!(response.pointers(), [""]);
        assert!(response.ok(422)["detail"].as_str().unwrap().contains(field), "{}", response.text);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_thousand_keys_are_accepted_even_if_unknown_or_invalid(database: Database) {
    let server = Server::start(&database).await;
    let many: Vec<_> = (0..999).map(|number| format!("feature-{number}")).collect();
    let mut keys: Vec<_> = many.iter().map(String::as_str).collect();
    keys.push("reviews");
    differ(&server).await;
    let found = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let named: Vec<_> = found.iter().map(|result| result["featureKey"].as_str().unwrap()).collect();
    assert_eq!(named, keys);
    assert_eq!((&found[0]["outcome"], &found[999]["outcome"]), (&json!("SKIPPED"), &json!("APPLIED")));
}

#[apply(on_default_database)]
async fn an_unknown_project_or_environment_is_not_found_and_nothing_changes(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let outsider = server.outsider().await;
    let (caller, before) = (server.production_editor(), server.stored_rows().await);
    for field in ["source", "target"] {
        let problem = caller.post(&path(), &with(field, json!("nowhere"))).await.problem(404, "not-found");
        assert!(problem["detail"].as_str().unwrap().contains("environment 'nowhere'"), "{problem}");
        caller.post_once(&path(), "key", &with(field, json!("nowhere"))).await.problem(404, "not-found");
    }
    let whole = request(&["reviews"], &ALL);
    let elsewhere = "/api/v1/projects/nothing/environments/copy";
    caller.post(elsewhere, &whole).await.problem(404, "not-found");
    outsider.post(&path(), &whole).await.problem(404, "not-found");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn read_only_users_can_compare_but_not_copy(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let (reader, before) = (server.read_only(), server.stored_rows().await);
    reader.get(&environment("compare", "?source=staging&target=production")).await.ok(200);
    for target in ["production", "development"] {
        for dry_run in [false, true] {
            let mut request = with("target", json!(target));
            request["dryRun"] = json!(dry_run);
            reader.post(&path(), &request).await.problem(403, "forbidden");
            reader.post_once(&path(), "key", &request).await.problem(403, "forbidden");
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn copying_to_a_production_environment_requires_the_production_editor_role(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let (editor, before) = (server.editor(), server.stored_rows().await);
    let mut whole = request(&["reviews", "nothing"], &ALL);
    for dry_run in [true, false] {
        whole["dryRun"] = json!(dry_run);
        let problem = editor.post(&path(), &whole).await.problem(403, "forbidden");
        assert!(problem["detail"].as_str().unwrap().contains("production"), "{problem}");
        editor.post_once(&path(), "key", &whole).await.problem(403, "forbidden");
    }
    server.assert_unchanged_since(&before).await;
    // Only the target matters, not the features or the source.
    let mut away = with("source", json!("production"));
    away["target"] = json!("development");
    assert_eq!(results(&editor, &away).await[0]["outcome"], "APPLIED");
    // The production flag counts, not the name.
    let production = json!({ "production": true });
    server.administrator().patch(&project("/environments/development"), &production).await.ok(200);
    editor.post(&path(), &with("target", json!("development"))).await.problem(403, "forbidden");
    for role in [Role::ProductionEditor, Role::Administrator] {
        differ(&server).await;
        let done = results(&server.person(role), &request(&["reviews"], &ALL)).await;
        assert_eq!(done[0]["outcome"], "APPLIED", "{role}");
    }
}
