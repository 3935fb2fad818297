//! Creating a feature that production serves at once needs the production editor, and the approval of its environment.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{require_in, value};
use crate::fixture::{Server, features, on_default_database, on_each_database};

fn without_off(key: &str) -> Value {
    json!({ "key": key, "name": "Paint", "variants": ["red", "green"] })
}

#[apply(on_each_database)]
async fn creating_a_feature_without_off_needs_the_production_editor_because_production_serves_it_at_once(
    database: Database,
) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    server.editor().post(&features(""), &without_off("paint")).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    assert_eq!(value(&server, "production", "paint").await, Value::Null);

    server.production_editor().post(&features(""), &without_off("paint")).await.ok(201);
    assert_eq!(value(&server, "production", "paint").await, "green");
    // A feature that is off everywhere changes nothing: clients evaluate an unknown feature as `off`.
    let with_off = json!({ "key": "calm", "name": "Calm", "variants": ["red", "off"] });
    server.editor().post(&features(""), &with_off).await.ok(201);
    assert_eq!(value(&server, "production", "calm").await, "off");
}

#[apply(on_default_database)]
async fn creating_a_feature_without_off_is_refused_where_an_environment_requires_approval(database: Database) {
    let server = Server::start(&database).await;
    require_in(&server, "staging").await;
    let before = server.stored_rows().await;
    let refused = server.administrator().post(&features(""), &without_off("paint")).await;
    let problem = refused.problem(409, "approval-required");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("'staging'") && detail.contains("variant 'off'"), "{detail}");
    server.assert_unchanged_since(&before).await;
    let with_off = json!({ "key": "calm", "name": "Calm", "variants": ["red", "off"], "approvalRequired": true });
    server.editor().post(&features(""), &with_off).await.ok(201);
}

#[apply(on_default_database)]
async fn without_a_production_environment_an_editor_can_create_any_feature(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "lab", "name": "Lab" })).await.ok(201);
    let bench = json!({ "key": "bench", "name": "Bench" });
    administrator.post("/api/v1/projects/lab/environments", &bench).await.ok(201);
    server.editor().post("/api/v1/projects/lab/features", &without_off("paint")).await.ok(201);
}
