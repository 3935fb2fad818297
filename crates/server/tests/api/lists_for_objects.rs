//! Where a body needs an object, a list is refused, and no response repeats the words of the parser.

use macro_rules_attribute::apply;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::fixture::{ApiResponse, Caller, Server, on_each_database, on_sqlite};
use crate::openapi::examples::{Operation, example, operations};

/// Words of serde and serde_json, and of types in this program.
const PARSER_WORDS: [&str; 17] = [
    "expected",
    "invalid type",
    "invalid value",
    "invalid length",
    "unknown field",
    "unknown variant",
    "missing field",
    "duplicate field",
    "sequence",
    "struct",
    "tuple",
    "newtype",
    "element",
    " line ",
    " column ",
    "u64",
    "Input",
];

/// Every operation with a body: its method, a path that exists, and the example of its body.
fn writes(document: &Value) -> Vec<(Method, String, Value)> {
    let with_body = operations(document).into_iter().filter_map(|Operation { method, path, value }| {
        let body = example(document, &value.get("requestBody")?["content"])?.clone();
        Some((Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(), existing(path), body))
    });
    with_body.collect()
}

/// The path, of resources of the demo. The others are not found, but after the body has been read.
fn existing(path: &str) -> String {
    path.replace("{projectKey}", "shop")
        .replace("{environmentKey}", "staging")
        .replace("{featureKey}", "reviews")
        .replace("{audienceKey}", "nordics")
        .replace(['{', '}'], "")
}

/// The pointers of all values in which the predicate holds, the whole included.
fn places(value: &Value, pointer: &str, matches: &dyn Fn(&Value) -> bool) -> Vec<String> {
    let own = matches(value).then(|| pointer.to_owned());
    let inner: Vec<_> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let inner = inner.into_iter().flat_map(|(name, value)| places(value, &format!("{pointer}/{name}"), matches));
    own.into_iter().chain(inner).collect()
}

/// The body with another value at the place.
fn with(body: &Value, pointer: &str, value: Value) -> Value {
    let mut changed = body.clone();
    *changed.pointer_mut(pointer).unwrap() = value;
    changed
}

/// The bodies with a list in place of one object: of its values, and an empty one. Each with the pointer of the list.
fn with_lists(body: &Value) -> Vec<(String, Value)> {
    let lists = |pointer: String| {
        let values = body.pointer(&pointer).unwrap().as_object().unwrap().values().cloned().collect();
        [Value::Array(values), json!([])].map(|list| (pointer.clone(), with(body, &pointer, list)))
    };
    places(body, "", &Value::is_object).into_iter().flat_map(lists).collect()
}

fn assert_no_parser_words(response: &ApiResponse, place: &str) {
    let found = PARSER_WORDS.iter().find(|word| response.text.contains(**word));
    assert_eq!(found, None, "{place}: {}", response.text);
}

async fn send(caller: &Caller, method: &Method, path: &str, body: &Value) -> ApiResponse {
    caller.send(caller.request(method.clone(), path).json(body)).await
}

#[apply(on_each_database)]
async fn a_list_in_place_of_an_object_is_refused_at_every_depth_of_every_body_and_nothing_is_stored(
    database: Database,
) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let writes = writes(&document);
    assert!(writes.len() >= 26, "{}", writes.len());
    let mut sent = 0;
    for (method, path, body) in writes {
        for (pointer, body) in with_lists(&body) {
            let place = format!("{method} {path} {body}");
            let response = send(&administrator, &method, &path, &body).await;
            assert_eq!(response.pointers(), [pointer], "{place}");
            assert_no_parser_words(&response, &place);
            sent += 1;
        }
    }
    assert!(sent >= 90, "{sent}");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn sdks_and_sign_in_must_send_objects_too(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("staging").await;
    let (browser, before) = (server.browser("staging"), server.stored_rows().await);
    let user = json!({ "user": { "id": "alice", "attributes": { "country": "SE" } } });
    let goal = json!({ "id": "goal-0001", "key": "purchase", "userId": "a", "features": { "reviews": "on" } });
    let goals = json!({ "goals": [goal] });
    let sign_in = json!({ "token": "api-nobody" });
    let requests: [(&dyn Fn() -> RequestBuilder, &Value); 4] = [
        (&|| browser.request(Method::POST, "/load"), &user),
        (&|| browser.request(Method::POST, "/goals"), &goals),
        (&|| key.request(Method::POST, "/goals"), &goals),
        (&|| server.anonymous().request(Method::POST, "/ui/session"), &sign_in),
    ];
    for (request, body) in requests {
        for (pointer, body) in with_lists(body) {
            let response = browser.send(request().json(&body)).await;
            assert_eq!(response.pointers(), [pointer], "{body}");
            assert_no_parser_words(&response, &body.to_string());
        }
    }
    let provider = server.provider("staging");
    let context = json!({ "context": { "targetingKey": "alice" } });
    for body in with_lists(&context).into_iter().map(|(_, body)| body) {
        for path in ["", "/reviews"] {
            let response = provider.send(provider.request(Method::POST, path).json(&body)).await;
            assert_eq!(response.ok(400)["errorCode"], "INVALID_CONTEXT", "{body}");
            assert_no_parser_words(&response, &body.to_string());
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_sqlite)]
async fn no_response_to_a_value_of_another_type_has_words_of_the_parser(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let document = serde_json::to_value(flagservice_server::http::document()).unwrap();
    let others =
        [json!(null), json!(true), json!(-7), json!(1.5), json!("\u{1f98a} text"), json!([]), json!({ "a": 1 })];
    for (method, path, body) in writes(&document) {
        for pointer in places(&body, "", &|_| true) {
            for other in &others {
                let body = with(&body, &pointer, other.clone());
                let place = format!("{method} {path} {body}");
                let response = send(&administrator, &method, &path, &body).await;
                assert!(response.status < 500, "{place}: {}", response.text);
                if response.status >= 400 {
                    assert_no_parser_words(&response, &place);
                }
            }
        }
    }
}

#[apply(on_each_database)]
async fn text_that_is_not_json_and_invalid_queries_are_refused_without_words_of_the_parser(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("staging"));
    for text in ["", "{", r#"{ "name": "New", }"#, r#"{ "name": 01 }"#, "name=New"] {
        let request = administrator.request(Method::POST, "/api/v1/users").header("content-type", "application/json");
        let response = administrator.send(request.body(text.to_owned())).await;
        response.problem(400, "malformed-json");
        assert_no_parser_words(&response, text);
        let response = browser.post_load(text).await;
        response.problem(400, "malformed-json");
        assert_no_parser_words(&response, text);
    }
    for query in ["features?lifecycle=Old", "features?environments=maybe", "approvals?state=old"] {
        let response = administrator.get(&format!("/api/v1/projects/shop/{query}")).await;
        response.problem(400, "invalid-query");
        assert_no_parser_words(&response, query);
    }
    let times = administrator.get("/api/v1/audit-log?from=yesterday").await;
    assert!(times.status == 400 || times.status == 422, "{}", times.text);
    assert_no_parser_words(&times, "from=yesterday");
}
