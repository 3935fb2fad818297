//! What every path with a body says of one that it cannot take. Nothing of such a request is stored.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Answer, Caller, Server, environment, features, on_each_database, project, targeting_of};

/// Largest body of a request to the REST API, in bytes.
const MOST: usize = 1024 * 1024;

/// Every path that takes a body, with a body that it would take.
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

async fn send(caller: &Caller, method: &Method, path: &str, content_type: &str, body: impl Into<Vec<u8>>) -> Answer {
    let request = caller.request(method.clone(), path).header("content-type", content_type).body(body.into());
    caller.send(request).await
}

#[apply(on_each_database)]
async fn a_body_that_is_not_json_is_malformed(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored().await);
    for (method, path, body) in writes() {
        let (whole, trailing) = (body.to_string(), format!("{body} {body}"));
        for malformed in ["", &whole[..whole.len() - 1], &trailing, "key=app"] {
            let answer = send(&administrator, &method, &path, "application/json", malformed).await;
            answer.problem(400, "malformed-json");
        }
        send(&administrator, &method, &path, "application/json", b"\"\xff\"").await.problem(400, "malformed-json");
    }
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn an_unknown_field_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored().await);
    for (method, path, mut body) in writes() {
        body["colour"] = json!("red");
        let answer = send(&administrator, &method, &path, "application/json", body.to_string()).await;
        assert_eq!(answer.pointers(), ["/colour"], "{path}");
        assert!(answer.ok(422)["detail"].as_str().unwrap().contains("colour"), "{}", answer.text);
    }
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn text_plain_is_rejected_outside_the_browser_client_routes(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored().await);
    for (method, path, body) in writes() {
        for content_type in ["text/plain", "application/x-www-form-urlencoded", ""] {
            let answer = send(&administrator, &method, &path, content_type, body.to_string()).await;
            let problem = answer.problem(415, "unsupported-media-type");
            assert!(problem["detail"].as_str().unwrap().contains("application/json"), "{problem}");
        }
    }
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn a_body_of_more_than_1_mib_is_too_large(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored().await);
    let padded = |body: &Value, length: usize| format!("{body}{}", " ".repeat(length - body.to_string().len()));
    for (method, path, body) in writes() {
        let answer = send(&administrator, &method, &path, "application/json", padded(&body, MOST + 1)).await;
        answer.problem(413, "too-large");
    }
    server.assert_stores_only(&before).await;
    for (method, path, body) in writes() {
        let answer = send(&administrator, &method, &path, "application/json", padded(&body, MOST)).await;
        assert!(answer.status == 200 || answer.status == 201, "{path}: {}", answer.text);
    }
}

#[apply(on_each_database)]
async fn an_invalid_key_is_rejected_with_the_rules_for_keys(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored().await);
    for (method, path, mut body) in writes().into_iter().filter(|(_, _, body)| body["key"].is_string()) {
        for key in ["", "two words", "-first", "ünïcode", &"k".repeat(101), "__proto__"] {
            body["key"] = json!(key);
            let answer = send(&administrator, &method, &path, "application/json", body.to_string()).await;
            assert_eq!(answer.pointers(), ["/key"], "{path} {key}");
        }
    }
    server.assert_stores_only(&before).await;
}

/// Not every database keeps the character NUL in a text.
#[apply(on_each_database)]
async fn a_string_with_a_nul_character_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, before) = (server.administrator(), server.stored().await);
    for (method, path, mut body) in writes().into_iter().filter(|(_, _, body)| body["name"].is_string()) {
        body["name"] = json!("a\u{0}b");
        let answer = send(&administrator, &method, &path, "application/json", body.to_string()).await;
        assert_eq!(answer.pointers(), ["/name"], "{path}");
    }
    server.assert_stores_only(&before).await;
}
