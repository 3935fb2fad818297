//! Every path with a body rejects invalid bodies and stores nothing of them.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{ApiResponse, Caller, Server, environment, features, on_default_database, project, targeting_of};

/// The maximum size of a request body of the REST API.
const MAX_BYTES: usize = 1024 * 1024;

/// Every path that takes a body, with a valid body.
fn writes() -> Vec<(Method, String, Value)> {
    let targeting = json!({ "enabled": true, "offVariantKey": "on", "rules": [] });
    let copy = json!({ "source": "staging", "target": "development", "featureKeys": ["reviews"], "settings": { "rules": true } });
    vec![
        (Method::POST, "/api/v1/projects".to_owned(), json!({ "key": "app", "name": "App" })),
        (Method::POST, project("/environments"), json!({ "key": "canary", "name": "Canary" })),
        (Method::POST, environment("copy", ""), copy),
        (Method::POST, environment("staging", "/client-keys"), json!({ "name": "Kiosk" })),
        (Method::POST, project("/audiences"), json!({ "key": "all", "name": "All", "conditions": [] })),
        (Method::POST, features(""), json!({ "key": "new-one", "name": "New" })),
        (Method::PATCH, features("/reviews"), json!({ "name": "Opinions" })),
        (Method::PUT, targeting_of("reviews", "staging"), targeting.clone()),
        (Method::PATCH, targeting_of("reviews", "staging"), targeting),
    ]
}

async fn send(
    caller: &Caller,
    method: &Method,
    path: &str,
    content_type: &str,
    body: impl Into<Vec<u8>>,
) -> ApiResponse {
    let request = caller.request(method.clone(), path).header("content-type", content_type).body(body.into());
    caller.send(request).await
}

#[apply(on_default_database)]
async fn a_body_that_is_not_json_is_malformed(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    for (method, path, body) in writes() {
        let (whole, trailing) = (body.to_string(), format!("{body} {body}"));
        for malformed in ["", &whole[..whole.len() - 1], &trailing, "key=app"] {
            let response = send(&administrator, &method, &path, "application/json", malformed).await;
            response.problem(400, "malformed-json");
        }
        send(&administrator, &method, &path, "application/json", b"\"\xff\"").await.problem(400, "malformed-json");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_unknown_field_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    for (method, path, mut body) in writes() {
        body["colour"] = json!("red");
        let response = send(&administrator, &method, &path, "application/json", body.to_string()).await;
        assert_eq!(response.pointers(), ["/colour"], "{path}");
        assert!(response.ok(422)["detail"].as_str().unwrap().contains("colour"), "{}", response.text);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn text_plain_is_rejected_outside_the_browser_client_routes(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    for (method, path, body) in writes() {
        for content_type in ["text/plain", "application/x-www-form-urlencoded", ""] {
            let response = send(&administrator, &method, &path, content_type, body.to_string()).await;
            let problem = response.problem(415, "unsupported-media-type");
            assert!(problem["detail"].as_str().unwrap().contains("application/json"), "{problem}");
        }
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_body_of_more_than_1_mib_is_too_large(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    let padded = |body: &Value, length: usize| format!("{body}{}", " ".repeat(length - body.to_string().len()));
    for (method, path, body) in writes() {
        let response = send(&administrator, &method, &path, "application/json", padded(&body, MAX_BYTES + 1)).await;
        response.problem(413, "too-large");
    }
    server.assert_unchanged_since(&before).await;
    for (method, path, body) in writes() {
        let response = send(&administrator, &method, &path, "application/json", padded(&body, MAX_BYTES)).await;
        assert!(response.status == 200 || response.status == 201, "{path}: {}", response.text);
    }
}

#[apply(on_default_database)]
async fn an_invalid_key_is_rejected_with_the_rules_for_keys(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    for (method, path, mut body) in writes().into_iter().filter(|(_, _, body)| body["key"].is_string()) {
        for key in ["", "two words", "-first", "ünïcode", &"k".repeat(101), "__proto__"] {
            body["key"] = json!(key);
            let response = send(&administrator, &method, &path, "application/json", body.to_string()).await;
            assert_eq!(response.pointers(), ["/key"], "{path} {key}");
        }
    }
    server.assert_unchanged_since(&before).await;
}

/// Not every database can store NUL characters.
#[apply(on_default_database)]
async fn a_string_with_a_nul_character_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored_rows().await);
    for (method, path, mut body) in writes().into_iter().filter(|(_, _, body)| body["name"].is_string()) {
        body["name"] = json!("a\u{0}b");
        let response = send(&administrator, &method, &path, "application/json", body.to_string()).await;
        assert_eq!(response.pointers(), ["/name"], "{path}");
    }
    server.assert_unchanged_since(&before).await;
}
