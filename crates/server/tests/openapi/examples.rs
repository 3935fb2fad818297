//! The document's examples: the server takes those of bodies, and answers as those of answers look.

use std::collections::{BTreeMap, BTreeSet};

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{
    Answer, Caller, Receiver, Server, environment, everyone, features, on_each_database, outbound, project,
    targeting_of,
};

/// The operations with a body or an answer to show, in an order in which each finds what it needs.
const ORDER: [&str; 5] = ["post", "put", "patch", "get", "delete"];

/// What the document says of an operation.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    value: &'a Value,
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().unwrap();
    ORDER
        .into_iter()
        .flat_map(|method| {
            let with = paths.iter().filter_map(move |(path, item)| Some((path, item.get(method)?)));
            with.map(move |(path, value)| Operation { method, path, value })
        })
        .collect()
}

/// The example of a content, or of its schema.
fn example<'a>(document: &'a Value, content: &'a Value) -> Option<&'a Value> {
    let content = &content["application/json"];
    let named = || {
        let name = content["schema"]["$ref"].as_str()?.strip_prefix("#/components/schemas/")?;
        document["components"]["schemas"][name].get("example")
    };
    content.get("example").or_else(named)
}

/// The answers that show something, with their statuses.
fn shown(operation: &Value) -> Vec<(u16, &Value)> {
    let answers = operation["responses"].as_object().unwrap().iter();
    let shown = answers.filter(|(status, answer)| status.starts_with('2') && answer.get("content").is_some());
    shown.map(|(status, answer)| (status.parse().unwrap(), answer)).collect()
}

#[test]
fn every_request_and_response_body_has_an_example() {
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    for Operation { method, path, value } in operations(&document) {
        if let Some(body) = value.get("requestBody") {
            assert!(example(&document, &body["content"]).is_some(), "the body of {method} {path}");
        }
        for (_, answer) in shown(value) {
            assert!(example(&document, &answer["content"]).is_some(), "the answer of {method} {path}");
        }
    }
    assert!(document["components"]["schemas"]["Problem"]["example"].is_object());
}

/// The names of all fields within, each with those above it; an item of a list stands for all.
fn fields(value: &Value, above: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields_of) => {
            for (name, value) in fields_of {
                let name = format!("{above}/{name}");
                fields(value, &name, found);
                found.insert(name);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(item, &format!("{above}[]"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Fields that are not always there, or whose names are data.
fn comes_and_goes(field: &str) -> bool {
    let optional = ["/nextCursor", "/expiresAt", "/lastUsedAt", "/token"];
    let data = [
        "/before/",
        "/after/",
        "/features/",
        "/usedIn",
        "/phase/",
        "/decidedBy/",
        "/chips/",
        "/rules[]/",
        "/environments",
    ];
    let of_lists = ["[]/audienceKey", "[]/conditions", "/comments[]/", "/attempts[]"];
    optional.iter().any(|name| field.ends_with(name)) || data.iter().chain(&of_lists).any(|name| field.contains(name))
}

fn assert_alike(example: &Value, answer: &Value, place: &str) {
    let (mut expected, mut found) = (BTreeSet::new(), BTreeSet::new());
    fields(example, "", &mut expected);
    fields(answer, "", &mut found);
    let differences: Vec<_> = expected
        .symmetric_difference(&found)
        .filter(|field| !(comes_and_goes(field) || place.ends_with("-keys") && *field == "/key"))
        .collect();
    assert!(differences.is_empty(), "{place}: {differences:?} in {answer}");
}

/// Where the examples' own things stand among the demo's.
struct Things {
    user: String,
    integration: String,
    /// Changes that wait for approval, by what shall become of them.
    approvals: BTreeMap<&'static str, String>,
}

impl Things {
    fn path(&self, operation: &Operation) -> String {
        let of_project = |path: &str| {
            path.replace("{environmentKey}", "staging")
                .replace("{featureKey}", "express-checkout")
                .replace("{audienceKey}", "team-plans")
                .replace("{pipelineKey}", "release")
                .replace("{userId}", &self.user)
                .replace("{id}", &self.integration)
        };
        // One moves that has somewhere to go.
        if let Some(path) = operation.path.strip_suffix("{featureKey}/next-phase") {
            return of_project(&format!("{path}reviews/next-phase").replace("{projectKey}", "shop"));
        }
        if let Some((list, fate)) = operation.path.split_once("{approvalId}") {
            let fate = if fate.is_empty() { "/comments" } else { fate };
            let own = if operation.path.ends_with("}") { "" } else { fate };
            return format!("{}{}{own}", list.replace("{projectKey}", "shop"), self.approvals[fate]);
        }
        let project = if operation.path == "/api/v1/projects/{projectKey}" { "app" } else { "shop" };
        let path = of_project(&operation.path.replace("{projectKey}", project));
        if path.ends_with("/environments/compare") { path + "?source=staging&target=production" } else { path }
    }
}

/// Changes that wait for approval, one for each thing that can become of it, and a feature with a phase to go to.
async fn things(server: &Server) -> Things {
    let (administrator, editor) = (server.administrator(), server.editor());
    let mut approvals = BTreeMap::new();
    let fates = [
        ("/approve", "reviews"),
        ("/reject", "gift-cards"),
        ("/cancel", "new-checkout"),
        ("/comments", "loyalty-points"),
    ];
    let rules = json!({ "rules": [everyone("on"), everyone("off")] });
    for (fate, feature) in fates {
        administrator.patch(&features(&format!("/{feature}")), &json!({ "approvalRequired": true })).await.ok(200);
        let held = editor.patch(&targeting_of(feature, "staging"), &rules).await.ok(202);
        approvals.insert(fate, held["id"].as_str().unwrap().to_owned());
    }
    let phases =
        json!([{ "name": "Try", "environmentKey": "staging" }, { "name": "Ship", "environmentKey": "production" }]);
    let weekly = json!({ "key": "weekly", "name": "Weekly", "phases": phases });
    administrator.post(&project("/pipelines"), &weekly).await.ok(201);
    administrator.patch(&features("/reviews"), &json!({ "pipelineKey": "weekly" })).await.ok(200);
    Things { user: String::new(), integration: String::new(), approvals }
}

async fn send(caller: &Caller, operation: &Operation<'_>, path: &str, body: Option<&Value>) -> Answer {
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
    let server = Server::start_outbound(&database, outbound(receiver.address(), receiver.address())).await;
    let administrator = server.administrator();
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let goal = json!([{ "id": "goal-0001", "key": "purchase", "userId": "a", "features": { "new-checkout": "on" } }]);
    server.browser("staging").goals(&goal).await.ok(202);
    administrator.post(&environment("staging", "/server-keys"), &json!({ "name": "Shop" })).await.ok(201);
    let mut things = things(&server).await;
    for operation in operations(&document) {
        let body = operation.value.get("requestBody").and_then(|body| example(&document, &body["content"]));
        let shown = shown(operation.value);
        if shown.is_empty() {
            continue;
        }
        let path = things.path(&operation);
        let place = format!("{} {path}", operation.method);
        let answered = send(&administrator, &operation, &path, body).await;
        let as_told = shown.into_iter().find(|(status, _)| *status == answered.status);
        let (status, answer) = as_told.unwrap_or_else(|| panic!("{place}: {} {}", answered.status, answered.text));
        let told = answered.ok(status);
        if place == "post /api/v1/users" {
            things.user = told["id"].as_str().unwrap().to_owned();
        }
        if place == "post /api/v1/admin/integrations/outbound" {
            things.integration = told["id"].as_str().unwrap().to_owned();
        }
        assert_alike(example(&document, &answer["content"]).unwrap(), &told, &place);
        let documented = answer["headers"]["ETag"].is_object();
        assert_eq!(answered.header("etag").is_some(), documented, "ETag of {place}");
    }
}
