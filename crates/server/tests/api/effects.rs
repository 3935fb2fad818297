//! The gate looks at what an environment serves before and after a change, whatever the request.

mod archived_feature;
mod changed_type;
mod new_environment;
mod new_feature_without_off;
mod recreated_feature;
mod sequences;

use serde_json::{Value, json};

use crate::fixture::{ApiResponse, Caller, Server, environment, features, project};

/// Archives the feature, or makes it active again.
async fn set_lifecycle(caller: &Caller, feature: &str, lifecycle: &str) -> ApiResponse {
    caller.patch(&features(&format!("/{feature}")), &json!({ "lifecycle": lifecycle })).await
}

/// Requires approval for every change in the environment.
async fn require_in(server: &Server, key: &str) {
    server.administrator().patch(&environment(key, ""), &json!({ "approvalRequired": true })).await.ok(200);
}

/// The path of the approval that this response names.
fn pending(response: &ApiResponse) -> String {
    let approval = response.ok(202);
    assert_eq!(approval["state"], "pending");
    project(&format!("/approvals/{}", approval["id"].as_str().unwrap()))
}

async fn approve(caller: &Caller, approval: &str) -> ApiResponse {
    caller.post(&format!("{approval}/approve"), &json!({})).await
}

/// What a typed SDK gets for the feature: its value, or null if there is no such feature.
async fn value(server: &Server, environment: &str, feature: &str) -> Value {
    let all = server.provider(environment).all(&json!({ "targetingKey": "alice" })).await.ok(200);
    let flags = all["flags"].as_array().unwrap();
    flags.iter().find(|flag| flag["key"] == feature).map_or(Value::Null, |flag| flag["value"].clone())
}
