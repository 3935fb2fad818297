//! The examples in the document: the server accepts those of requests, and its responses match those of responses.

use std::collections::{BTreeMap, BTreeSet};

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{
    ApiResponse, Caller, Receiver, Server, environment, everyone, features, on_each_database, outbound, project, split,
    targeting, targeting_of,
};

/// The methods in an order in which each operation finds the resources that it needs.
const ORDER: [&str; 5] = ["post", "put", "patch", "get", "delete"];

/// An operation in the document.
pub struct Operation<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub value: &'a Value,
}

/// All operations.
pub fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().unwrap();
    ORDER
        .into_iter()
        .flat_map(|method| {
            let with = paths.iter().filter_map(move |(path, item)| Some((path, item.get(method)?)));
            with.map(move |(path, value)| Operation { method, path, value })
        })
        .collect()
}

/// The example of a media type, or of its schema.
pub fn example<'a>(document: &'a Value, content: &'a Value) -> Option<&'a Value> {
    let content = &content["application/json"];
    let named = || {
        let name = content["schema"]["$ref"].as_str()?.strip_prefix("#/components/schemas/")?;
        document["components"]["schemas"][name].get("example")
    };
    content.get("example").or_else(named)
}

/// The successful responses with a body, by status.
fn success_responses(operation: &Value) -> Vec<(u16, &Value)> {
    let responses = operation["responses"].as_object().unwrap().iter();
    let success_responses =
        responses.filter(|(status, response)| status.starts_with('2') && response.get("content").is_some());
    success_responses.map(|(status, response)| (status.parse().unwrap(), response)).collect()
}

#[test]
fn every_request_and_response_body_has_an_example() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for Operation { method, path, value } in operations(&document) {
        if let Some(body) = value.get("requestBody") {
            assert!(example(&document, &body["content"]).is_some(), "the body of {method} {path}");
        }
        for (_, response) in success_responses(value) {
            assert!(example(&document, &response["content"]).is_some(), "the response of {method} {path}");
        }
    }
    assert!(document["components"]["schemas"]["Problem"]["example"].is_object());
}

/// The paths of all fields. The items of a list share one path.
fn fields(value: &Value, parent: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields_of) => {
            for (name, value) in fields_of {
                let name = format!("{parent}/{name}");
                fields(value, &name, found);
                found.insert(name);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(item, &format!("{parent}[]"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Fields that are optional, or whose names are data.
fn is_variable(field: &str) -> bool {
    let optional = ["/nextCursor", "/expiresAt", "/lastUsedAt", "/token", "/signingSecret"];
    let data = [
        "/before/",
        "/after/",
        "/features/",
        "/usedIn",
        "/phase/",
        "/owner/",
        "/decidedBy/",
        "/decidedWith/",
        "/chips/",
        "/configuration/webhook",
        "/rules[]/",
        "/removed/",
        "/split[]/",
        "/days[]/",
        "/stale/",
        "/evaluations[]/",
        "/environments",
    ];
    let of_lists = ["[]/audienceKey", "[]/conditions", "/comments[]/", "/attempts[]"];
    optional.iter().any(|name| field.ends_with(name)) || data.iter().chain(&of_lists).any(|name| field.contains(name))
}

fn assert_same_fields(example: &Value, response: &Value, place: &str) {
    let (mut expected, mut found) = (BTreeSet::new(), BTreeSet::new());
    fields(example, "", &mut expected);
    fields(response, "", &mut found);
    let differences: Vec<_> = expected
        .symmetric_difference(&found)
        .filter(|field| !(is_variable(field) || place.contains("-keys") && *field == "/key"))
        .collect();
    assert!(differences.is_empty(), "{place}: {differences:?} in {response}");
}

/// Resources for the examples, besides those of the demo.
struct TestResources {
    user: String,
    integration: String,
    webhook: String,
    edge_key: String,
    /// Pending approvals by the action on them.
    approvals: BTreeMap<&'static str, String>,
}

impl TestResources {
    fn path(&self, operation: &Operation) -> String {
        let of_project = |path: &str| {
            path.replace("{environmentKey}", "staging")
                .replace("{featureKey}", "express-checkout")
                .replace("{audienceKey}", "team-plans")
                .replace("{pipelineKey}", "release")
                .replace("{experimentKey}", "checkout-colour")
                .replace("{userId}", &self.user)
                .replace("{id}", &self.integration)
        };
        if operation.path.ends_with("{id}/secret") {
            return operation.path.replace("{id}", &self.webhook);
        }
        if operation.path.contains("/edge-keys/{keyId}") {
            return of_project(&operation.path.replace("{projectKey}", "shop").replace("{keyId}", &self.edge_key));
        }
        // A feature with a next phase.
        if let Some(path) = operation.path.strip_suffix("{featureKey}/next-phase") {
            return of_project(&format!("{path}reviews/next-phase").replace("{projectKey}", "shop"));
        }
        if let Some((list, action)) = operation.path.split_once("{approvalId}") {
            let action = if action.is_empty() { "/comments" } else { action };
            let own = if operation.path.ends_with("}") { "" } else { action };
            return format!("{}{}{own}", list.replace("{projectKey}", "shop"), self.approvals[action]);
        }
        let project = if operation.path == "/api/v1/projects/{projectKey}" { "app" } else { "shop" };
        let path = of_project(&operation.path.replace("{projectKey}", project));
        if path.ends_with("/environments/compare") { path + "?source=staging&target=production" } else { path }
    }
}

/// Creates a pending approval for each action, and a feature with a next phase.
async fn resources(server: &Server) -> TestResources {
    let (administrator, editor) = (server.administrator(), server.editor());
    let halves = targeting(&[split(50.0, 50.0)]);
    administrator.put(&targeting_of("new-checkout", "staging"), &halves).await.ok(200);
    let mut approvals = BTreeMap::new();
    let actions = [
        ("/approve", "reviews"),
        ("/reject", "gift-cards"),
        ("/cancel", "new-checkout"),
        ("/comments", "loyalty-points"),
    ];
    let rules = json!({ "rules": [everyone("on"), everyone("off")] });
    for (action, feature) in actions {
        administrator.patch(&features(&format!("/{feature}")), &json!({ "approvalRequired": true })).await.ok(200);
        let pending = editor.patch(&targeting_of(feature, "staging"), &rules).await.ok(202);
        approvals.insert(action, pending["id"].as_str().unwrap().to_owned());
    }
    let phases =
        json!([{ "name": "Try", "environmentKey": "staging" }, { "name": "Ship", "environmentKey": "production" }]);
    let weekly = json!({ "key": "weekly", "name": "Weekly", "phases": phases });
    administrator.post(&project("/pipelines"), &weekly).await.ok(201);
    administrator.patch(&features("/reviews"), &json!({ "pipelineKey": "weekly" })).await.ok(200);
    let hook = json!({ "url": "https://hooks.example/shop" });
    let webhook = json!({ "type": "webhook", "enabled": false, "configuration": { "webhook": hook } });
    let webhook = administrator.post("/api/v1/admin/integrations/outbound", &webhook).await.ok(201);
    let webhook = webhook["id"].as_str().unwrap().to_owned();
    let edge_key = json!({ "name": "Stockholm", "environmentKeys": ["staging"] });
    let edge_key = administrator.post(&project("/edge-keys"), &edge_key).await.ok(201);
    let edge_key = edge_key["id"].as_str().unwrap().to_owned();
    TestResources { user: String::new(), integration: String::new(), webhook, edge_key, approvals }
}

async fn send(caller: &Caller, operation: &Operation<'_>, path: &str, body: Option<&Value>) -> ApiResponse {
    let request = caller.request(Method::from_bytes(operation.method.to_uppercase().as_bytes()).unwrap(), path);
    caller
        .send(match body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
}

#[apply(on_each_database)]
async fn the_server_accepts_every_example_and_its_responses_match_the_examples(database: Database) {
    let receiver = Receiver::start().await;
    let server = Server::start_with_destinations(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let goal = json!([{ "id": "goal-0001", "key": "purchase", "userId": "a", "features": { "new-checkout": "on" } }]);
    server.browser("staging").goals(&goal).await.ok(202);
    administrator.post(&environment("staging", "/server-keys"), &json!({ "name": "Shop" })).await.ok(201);
    let mut resources = resources(&server).await;
    for operation in operations(&document) {
        let body = operation.value.get("requestBody").and_then(|body| example(&document, &body["content"]));
        let success_responses = success_responses(operation.value);
        // A deletion has a body only where it needs an approval, as the approvals' tests show.
        if success_responses.is_empty() || operation.method == "delete" {
            continue;
        }
        let path = resources.path(&operation);
        let place = format!("{} {path}", operation.method);
        let answered = send(&administrator, &operation, &path, body).await;
        let as_told = success_responses.into_iter().find(|(status, _)| *status == answered.status);
        let (status, response) = as_told.unwrap_or_else(|| panic!("{place}: {} {}", answered.status, answered.text));
        let body = answered.ok(status);
        if place == "post /api/v1/users" {
            resources.user = body["id"].as_str().unwrap().to_owned();
        }
        if place == "post /api/v1/admin/integrations/outbound" {
            resources.integration = body["id"].as_str().unwrap().to_owned();
        }
        assert_same_fields(example(&document, &response["content"]).unwrap(), &body, &place);
        let documented = response["headers"]["ETag"].is_object();
        assert_eq!(answered.header("etag").is_some(), documented, "ETag of {place}");
        let documented = response["headers"]["Location"].is_object();
        assert_eq!(answered.header("location").is_some(), documented, "Location of {place}");
    }
}
