//! What is deleted with something else has an audit record of its own, and what runs is not deleted.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, environment, features, on_each_database, project, split, targeting, targeting_of,
};

/// Creates an experiment with a feature in staging.
async fn experiment(caller: &Caller, feature: &str) {
    let goals = json!([{ "key": "purchase", "role": "primary" }]);
    let new = json!({ "key": "sells", "name": "Sells", "featureKey": feature, "goals": goals });
    caller.put(&targeting_of(feature, "staging"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    caller.post(&environment("staging", "/experiments"), &new).await.ok(201);
}

async fn start(caller: &Caller) {
    caller.post(&environment("staging", "/experiments/sells/start"), &Value::Null).await.ok(200);
}

async fn stop(caller: &Caller) {
    caller.post(&environment("staging", "/experiments/sells/stop"), &json!({})).await.ok(200);
}

/// The newest entries up to one, as actions with resources, sorted; with the states before.
async fn entries_since(caller: &Caller, last: &Value) -> Vec<(String, String, Value)> {
    let entries = caller.get("/api/v1/audit-log?limit=200").await.items();
    let new = entries.into_iter().take_while(|entry| entry["id"] != *last);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut new: Vec<_> =
        new.map(|entry| (text(&entry["action"]), text(&entry["resource"]), entry["before"].clone())).collect();
    new.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    new
}

async fn last(caller: &Caller) -> Value {
    caller.get("/api/v1/audit-log?limit=1").await.items()[0]["id"].clone()
}

fn schedule() -> Value {
    json!({ "enabled": false, "scheduledFor": "2026-11-21T11:00:00Z" })
}

#[apply(on_each_database)]
async fn what_is_deleted_with_an_environment_is_recorded_and_a_running_experiment_keeps_it(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    experiment(&administrator, "reviews").await;
    start(&administrator).await;
    let before = server.stored_rows().await;
    let refused = administrator.delete(&path).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("'sells'"), "{refused}");
    server.assert_unchanged_since(&before).await;
    stop(&administrator).await;

    let scheduled = administrator.patch(&targeting_of("reviews", "staging"), &schedule()).await.ok(202);
    let server_key = environment("staging", "/server-keys");
    let key = administrator.post(&server_key, &json!({ "name": "Back end" })).await.ok(201)["id"].clone();
    let new = json!({ "key": "crew", "name": "Crew", "environmentKey": "staging", "conditions": [] });
    administrator.post(&project("/audiences"), &new).await.ok(201);
    let client_keys = administrator.get(&environment("staging", "/client-keys")).await.items().len();
    let last = last(&administrator).await;
    administrator.delete(&path).await.ok(204);

    let entries = entries_since(&administrator, &last).await;
    let found = |action: &str| entries.iter().filter(|entry| entry.0 == action).collect::<Vec<_>>();
    let resources = |action: &str| found(action).iter().map(|entry| entry.1.clone()).collect::<Vec<_>>();
    let of_staging = "projects/shop/environments/staging";
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(resources("environment.delete"), [of_staging]);
    assert_eq!(resources("experiment.delete"), [format!("{of_staging}/experiments/sells")]);
    assert_eq!(resources("approval.cancel"), [format!("projects/shop/approvals/{}", text(&scheduled["id"]))]);
    let of_key = format!("{of_staging}/server-keys/{}", text(&key));
    assert!(resources("server-key.revoke").contains(&of_key), "{entries:?}");
    assert_eq!(resources("client-key.revoke").len(), client_keys);
    assert!(resources("audience.delete").contains(&"projects/shop/audiences/crew".to_owned()));
    let targetings = found("targeting.delete");
    let of_reviews = targetings.iter().find(|entry| entry.1 == "projects/shop/features/reviews").unwrap();
    let lost = &of_reviews.2["targetings"][0];
    assert_eq!((&lost["environmentKey"], &lost["targeting"]["enabled"]), (&json!("staging"), &json!(true)));
}

#[apply(on_each_database)]
async fn what_is_deleted_with_a_feature_is_recorded_and_a_running_experiment_keeps_it(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), features("/reviews"));
    experiment(&administrator, "reviews").await;
    start(&administrator).await;
    administrator.patch(&targeting_of("reviews", "staging"), &schedule()).await.ok(202);
    administrator.patch(&path, &json!({ "lifecycle": "Archived" })).await.ok(200);
    let before = server.stored_rows().await;
    administrator.delete(&path).await.problem(409, "in-use");
    server.assert_unchanged_since(&before).await;
    stop(&administrator).await;
    let last = last(&administrator).await;
    administrator.delete(&path).await.ok(204);

    let entries = entries_since(&administrator, &last).await;
    let actions: Vec<_> = entries.iter().map(|entry| entry.0.as_str()).collect();
    assert_eq!(actions, ["approval.cancel", "experiment.delete", "feature.delete"]);
    let targetings = entries[2].2["targetings"].as_array().unwrap();
    let on: Vec<_> = targetings.iter().filter(|one| one["targeting"]["enabled"] == true).collect();
    assert!(on.iter().any(|one| one["environmentKey"] == "staging"), "{targetings:?}");
}

#[apply(on_each_database)]
async fn what_is_deleted_with_a_project_is_recorded(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), "/api/v1/projects/small");
    administrator.post("/api/v1/projects", &json!({ "key": "small", "name": "Small" })).await.ok(201);
    let below = |rest: &str| format!("{path}/{rest}");
    let new = json!({ "key": "crew", "name": "Crew", "conditions": [] });
    administrator.post(&below("audiences"), &new).await.ok(201);
    administrator.post(&below("edge-keys"), &json!({ "name": "Edge" })).await.ok(201);
    let last = last(&administrator).await;
    administrator.delete(path).await.ok(204);
    let actions = entries_since(&administrator, &last).await.into_iter().map(|entry| entry.0).collect::<Vec<_>>();
    assert_eq!(actions, ["audience.delete", "edge-key.revoke", "project.delete"]);
}
