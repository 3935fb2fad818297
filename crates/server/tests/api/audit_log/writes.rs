//! One write of every kind, with the audit record that it must leave.

use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{condition, environment, everyone, features, project, split, targeting, targeting_of};

const OUTBOUND: &str = "/api/v1/admin/integrations/outbound";

/// A write, and the expected audit record. In paths and resources, `{}` is the id in the latest response with an id.
pub struct Write {
    pub method: Method,
    pub path: String,
    pub body: Value,
    pub action: &'static str,
    pub resource: &'static str,
    pub has_before: bool,
    pub has_after: bool,
}

fn create(path: impl Into<String>, body: Value, action: &'static str, resource: &'static str) -> Write {
    Write { method: Method::POST, path: path.into(), body, action, resource, has_before: false, has_after: true }
}

fn update(path: impl Into<String>, body: Value, action: &'static str, resource: &'static str) -> Write {
    Write { method: Method::PATCH, path: path.into(), body, action, resource, has_before: true, has_after: true }
}

fn delete(path: impl Into<String>, action: &'static str, resource: &'static str) -> Write {
    let (method, path) = (Method::DELETE, path.into());
    Write { method, path, body: Value::Null, action, resource, has_before: true, has_after: false }
}

fn new() -> Value {
    json!({ "key": "new", "name": "New" })
}

/// All writes, in an order in which each is possible.
pub fn writes() -> Vec<Write> {
    [
        organisation(),
        environments(),
        edge_keys(),
        features_in_pipelines(),
        audiences(),
        experiments(),
        people(),
        integrations(),
        tokens(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn organisation() -> Vec<Write> {
    vec![
        update("/api/v1/organisation", json!({ "name": "New" }), "organisation.update", "organisation"),
        create("/api/v1/projects", new(), "project.create", "projects/new"),
        update("/api/v1/projects/new", json!({ "name": "Newer" }), "project.update", "projects/new"),
        delete("/api/v1/projects/new", "project.delete", "projects/new"),
    ]
}

fn environments() -> Vec<Write> {
    const ENVIRONMENT: &str = "projects/shop/environments/new";
    const CLIENT_KEY: &str = "projects/shop/environments/new/client-keys/{}";
    const SERVER_KEY: &str = "projects/shop/environments/new/server-keys/{}";
    let gate = json!({ "approvalRequired": true });
    let named = json!({ "name": "Web" });
    vec![
        create(project("/environments"), new(), "environment.create", ENVIRONMENT),
        update(environment("new", ""), gate, "environment.update", ENVIRONMENT),
        create(environment("new", "/client-keys"), named.clone(), "client-key.create", CLIENT_KEY),
        delete(environment("new", "/client-keys/{}"), "client-key.revoke", CLIENT_KEY),
        create(environment("new", "/server-keys"), named, "server-key.create", SERVER_KEY),
        delete(environment("new", "/server-keys/{}"), "server-key.revoke", SERVER_KEY),
        delete(environment("new", ""), "environment.delete", ENVIRONMENT),
    ]
}

fn edge_keys() -> Vec<Write> {
    const EDGE_KEY: &str = "projects/shop/edge-keys/{}";
    let rotate = update(project("/edge-keys/{}/rotate"), Value::Null, "edge-key.rotate", EDGE_KEY);
    vec![
        create(project("/edge-keys"), json!({ "name": "Edge" }), "edge-key.create", EDGE_KEY),
        Write { method: Method::POST, ..rotate },
        delete(project("/edge-keys/{}"), "edge-key.revoke", EDGE_KEY),
    ]
}

fn features_in_pipelines() -> Vec<Write> {
    const FEATURE: &str = "projects/shop/features/new";
    const PIPELINE: &str = "projects/shop/pipelines/new";
    let phase = |name: &str, environment: &str| json!({ "name": name, "environmentKey": environment });
    let phases = [phase("Try", "development"), phase("Show", "staging")];
    let pipeline = json!({ "key": "new", "name": "New", "phases": phases });
    let settings = json!({ "rules": true });
    let copy = json!({ "source": "staging", "target": "development", "featureKeys": ["new"], "settings": settings });
    let targeting_path = targeting_of("new", "staging");
    let break_glass = format!("{targeting_path}/break-glass");
    let change = |path: String, body: Value, action: &'static str| update(path, body, action, FEATURE);
    let everyone_on = targeting(&[everyone("on")]);
    vec![
        create(project("/pipelines"), pipeline, "pipeline.create", PIPELINE),
        update(project("/pipelines/new"), json!({ "name": "Newer" }), "pipeline.update", PIPELINE),
        create(features(""), new(), "feature.create", FEATURE),
        change(features("/new"), json!({ "pipelineKey": "new" }), "feature.update"),
        Write { method: Method::POST, ..change(features("/new/next-phase"), json!({}), "feature.next-phase") },
        change(features("/new"), json!({ "pipelineKey": null }), "feature.update"),
        change(features("/new"), json!({ "tags": ["new"] }), "feature.update"),
        Write { method: Method::PUT, ..change(targeting_path.clone(), everyone_on, "targeting.update") },
        Write { method: Method::POST, ..change(environment("copy", ""), copy, "targeting.update") },
        change(targeting_path.clone(), json!({ "enabled": false }), "targeting.update"),
        change(targeting_path, json!({ "enabled": true }), "targeting.update"),
        Write { method: Method::POST, ..change(break_glass, json!({ "reason": "Down" }), "targeting.break-glass") },
        change(features("/new"), json!({ "lifecycle": "Archived" }), "feature.update"),
        delete(features("/new"), "feature.delete", FEATURE),
        delete(project("/pipelines/new"), "pipeline.delete", PIPELINE),
    ]
}

fn experiments() -> Vec<Write> {
    const EXPERIMENT: &str = "projects/shop/environments/staging/experiments/new";
    let goals = json!([{ "key": "purchase", "role": "primary" }]);
    let experiment = json!({ "key": "new", "name": "New", "featureKey": "reviews", "goals": goals });
    let path = |rest: &str| environment("staging", &format!("/experiments{rest}"));
    let post =
        |path: String, body: Value, action| Write { method: Method::POST, ..update(path, body, action, EXPERIMENT) };
    vec![
        create(path(""), experiment, "experiment.create", EXPERIMENT),
        update(path("/new"), json!({ "plannedDays": 7 }), "experiment.update", EXPERIMENT),
        Write {
            method: Method::PUT,
            ..update(
                targeting_of("reviews", "staging"),
                targeting(&[split(50.0, 50.0)]),
                "targeting.update",
                "projects/shop/features/reviews",
            )
        },
        post(path("/new/start"), Value::Null, "experiment.start"),
        post(path("/new/stop"), json!({ "decisionVariantKey": "on" }), "experiment.stop"),
        delete(path("/new"), "experiment.delete", EXPERIMENT),
    ]
}

fn audiences() -> Vec<Write> {
    const AUDIENCE: &str = "projects/shop/audiences/new";
    let audience = json!({ "key": "new", "name": "New", "conditions": [] });
    let conditions = json!({ "conditions": [condition("plan", "in", json!(["pro"]))] });
    vec![
        create(project("/audiences"), audience, "audience.create", AUDIENCE),
        update(project("/audiences/new"), conditions, "audience.update", AUDIENCE),
        delete(project("/audiences/new"), "audience.delete", AUDIENCE),
    ]
}

fn people() -> Vec<Write> {
    vec![
        create("/api/v1/users", json!({ "name": "Nora", "role": "editor" }), "user.create", "users/{}"),
        update("/api/v1/users/{}", json!({ "role": "readOnly" }), "user.update", "users/{}"),
        create("/api/v1/users/{}/setup-link", Value::Null, "user.invite", "users/{}"),
        delete("/api/v1/users/{}", "user.delete", "users/{}"),
    ]
}

fn integrations() -> Vec<Write> {
    const INTEGRATION: &str = "admin/integrations/outbound/{}";
    let analytics = json!({ "apiKey": "key", "secretKey": "secret", "region": "US" });
    let configuration = json!({ "analytics": analytics });
    let integration =
        |enabled: bool| json!({ "type": "analytics", "enabled": enabled, "configuration": configuration });
    let path = format!("{OUTBOUND}/{{}}");
    let replace = update(path.clone(), integration(true), "integration.update", INTEGRATION);
    let hook = json!({ "webhook": { "url": "https://hooks.example/shop" } });
    let webhook = json!({ "type": "webhook", "enabled": true, "configuration": hook });
    let rotate = update(format!("{path}/secret"), Value::Null, "integration.rotate-secret", INTEGRATION);
    vec![
        create(OUTBOUND, integration(false), "integration.create", INTEGRATION),
        Write { method: Method::PUT, ..replace },
        create(format!("{path}/test"), Value::Null, "integration.test", INTEGRATION),
        delete(path.clone(), "integration.delete", INTEGRATION),
        create(OUTBOUND, webhook, "integration.create", INTEGRATION),
        Write { method: Method::POST, ..rotate },
        delete(path, "integration.delete", INTEGRATION),
    ]
}

fn tokens() -> Vec<Write> {
    vec![
        create("/api/v1/tokens", json!({ "name": "Robot" }), "token.create", "tokens/{}"),
        delete("/api/v1/tokens/{}", "token.revoke", "tokens/{}"),
    ]
}
