//! `/api/v1/projects/{projectKey}/pipelines`: release pipelines.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, features, on_default_database, on_each_database, project};

fn pipelines(rest: &str) -> String {
    project(&format!("/pipelines{rest}"))
}

fn phase(name: &str, environment: &str, approval: bool) -> Value {
    json!({ "name": name, "environmentKey": environment, "approvalRequired": approval })
}

/// A pipeline from development through staging to production, where changes need approval.
fn release() -> Value {
    let phases =
        [phase("Build", "development", false), phase("Try", "staging", false), phase("Ship", "production", true)];
    json!({ "key": "release", "name": "Release", "phases": phases })
}

/// Removes the phases of a pipeline, as an earlier release could.
pub async fn remove_phases(server: &Server, key: &str) {
    let mut write = server.app.store.write().await.unwrap();
    let removal = sqlx::query("UPDATE pipelines SET phases = '[]' WHERE key = $1").bind(key);
    removal.execute(write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();
}

#[apply(on_each_database)]
async fn a_pipeline_has_the_given_phases_in_order(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    assert_eq!(administrator.post(&pipelines(""), &release()).await.ok(201), release());
    assert_eq!(server.read_only().get(&pipelines("/release")).await.ok(200), release());
    let backwards = json!({ "key": "back", "name": "Back", "phases": [phase("B", "staging", false), phase("A", "development", false)] });
    assert_eq!(administrator.post(&pipelines(""), &backwards).await.ok(201), backwards);
    assert_eq!(server.read_only().get(&pipelines("")).await.items(), [backwards, release()]);
}

#[apply(on_default_database)]
async fn only_administrators_can_write_pipelines(database: Database) {
    let server = Server::start(&database).await;
    server.administrator().post(&pipelines(""), &release()).await.ok(201);
    let (editor, outsider) = (server.production_editor(), server.outsider().await);
    let before = server.stored_rows().await;
    let mut other = release();
    other["key"] = json!("other");
    editor.post(&pipelines(""), &other).await.problem(403, "forbidden");
    editor.patch(&pipelines("/release"), &json!({ "name": "Mine" })).await.problem(403, "forbidden");
    editor.delete(&pipelines("/release")).await.problem(403, "forbidden");
    outsider.get(&pipelines("/release")).await.problem(404, "not-found");
    outsider.delete(&pipelines("/release")).await.problem(404, "not-found");
    server.administrator().post(&pipelines(""), &release()).await.problem(409, "exists");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn an_unknown_environment_and_a_duplicate_one_are_rejected_with_their_pointers(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post(&pipelines(""), &release()).await.ok(201);
    let before = server.stored_rows().await;
    let with = |phases: &[Value]| json!({ "key": "other", "name": "Other", "phases": phases });
    let nowhere = [phase("Build", "development", false), phase("Ship", "nowhere", false)];
    let twice = [phase("A", "development", false), phase("B", "staging", false), phase("C", "development", true)];
    let refused = administrator.post(&pipelines(""), &with(&nowhere)).await;
    assert_eq!(refused.pointers(), ["/phases/1/environmentKey"]);
    assert!(refused.text.contains("'nowhere'"), "{}", refused.text);
    let place = ["/phases/2/environmentKey"];
    assert_eq!(administrator.post(&pipelines(""), &with(&twice)).await.pointers(), place);
    let edit = json!({ "phases": nowhere });
    assert_eq!(administrator.patch(&pipelines("/release"), &edit).await.pointers(), ["/phases/1/environmentKey"]);
    assert_eq!(administrator.patch(&pipelines("/release"), &json!({ "phases": twice })).await.pointers(), place);
    let odd = json!({ "key": "other", "name": "Other", "phases": [{ "name": "Odd", "environmentKey": "staging", "odd": 1 }] });
    assert_eq!(administrator.post(&pipelines(""), &odd).await.pointers(), ["/phases/0/odd"]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_pipeline_needs_a_phase_and_one_of_an_earlier_release_without_phases_is_still_readable(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post(&pipelines(""), &release()).await.ok(201);
    let before = server.stored_rows().await;
    let none = json!({ "key": "none", "name": "None", "phases": [] });
    assert_eq!(administrator.post(&pipelines(""), &none).await.pointers(), ["/phases"]);
    assert_eq!(administrator.patch(&pipelines("/release"), &json!({ "phases": [] })).await.pointers(), ["/phases"]);
    server.assert_unchanged_since(&before).await;

    remove_phases(&server, "release").await;
    let old = json!({ "key": "release", "name": "Release", "phases": [] });
    assert_eq!(server.read_only().get(&pipelines("/release")).await.ok(200), old);
    let renamed = administrator.patch(&pipelines("/release"), &json!({ "name": "Old" })).await.ok(200);
    assert_eq!((&renamed["name"], &renamed["phases"]), (&json!("Old"), &json!([])));
    administrator.delete(&pipelines("/release")).await.ok(204);
}

#[apply(on_default_database)]
async fn each_field_of_a_pipeline_can_be_changed_with_if_match(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), pipelines("/release"));
    administrator.post(&pipelines(""), &release()).await.ok(201);
    let seen = administrator.get(&path).await.etag();
    let mut expected = release();
    expected["name"] = json!("Fast release");
    let first = administrator.patch_if(&path, &seen, &json!({ "name": "Fast release" })).await;
    assert_eq!(first.ok(200), expected);
    administrator.patch_if(&path, &seen, &json!({ "phases": [] })).await.assert_stale(&seen, &first.etag());
    expected["phases"] = json!([phase("Ship", "production", false)]);
    let edit = json!({ "phases": expected["phases"] });
    assert_eq!(administrator.patch_if(&path, &first.etag(), &edit).await.ok(200), expected);
    assert_eq!(administrator.get(&path).await.ok(200), expected);
    let before = server.stored_rows().await;
    administrator.patch(&path, &edit).await.ok(200);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_pipeline_with_features_cannot_be_deleted_and_the_error_names_them(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post(&pipelines(""), &release()).await.ok(201);
    for feature in ["/reviews", "/gift-cards"] {
        administrator.patch(&features(feature), &json!({ "pipelineKey": "release" })).await.ok(200);
    }
    let before = server.stored_rows().await;
    let refused = administrator.delete(&pipelines("/release")).await.problem(409, "in-use");
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.contains("reviews") && detail.contains("gift-cards"), "{detail}");
    server.assert_unchanged_since(&before).await;
    for feature in ["/reviews", "/gift-cards"] {
        administrator.patch(&features(feature), &json!({ "pipelineKey": null })).await.ok(200);
    }
    administrator.delete(&pipelines("/release")).await.ok(204);
    administrator.get(&pipelines("/release")).await.problem(404, "not-found");
    administrator.delete(&pipelines("/release")).await.problem(404, "not-found");
}
