//! The allowed origins of an environment: the pages that may use its client keys.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{ApiResponse, Browser, EventStream, Server, environment, on_default_database, on_each_database};

/// Sets the allowed origins of staging.
async fn allow(server: &Server, origins: &Value) {
    let edit = json!({ "allowedOrigins": origins });
    server.administrator().patch(&environment("staging", ""), &edit).await.ok(200);
}

/// A load with this `Origin` header, if any.
async fn load(browser: &Browser, origin: Option<&str>) -> ApiResponse {
    let request = browser.request(Method::POST, "/load").header("content-type", "text/plain");
    let request = origin.into_iter().fold(request, |request, origin| request.header("origin", origin));
    browser.send(request.body(r#"{"user": {"id": "alice"}}"#)).await
}

/// Asserts that the origin is rejected with an error that the page can read.
fn assert_rejected(response: &ApiResponse) {
    let problem = response.problem(403, "origin-not-allowed");
    assert!(problem["detail"].as_str().unwrap().contains("allowedOrigins"), "{problem}");
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
}

#[apply(on_default_database)]
async fn an_empty_list_allows_every_origin(database: Database) {
    let server = Server::start(&database).await;
    for origin in [None, Some("https://shop.example"), Some("http://localhost:3000"), Some("null")] {
        load(&server.browser("staging"), origin).await.ok(200);
    }
}

#[apply(on_default_database)]
async fn a_listed_origin_is_allowed_and_another_is_rejected_with_cors_headers(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.browser("staging");
    allow(&server, &json!(["https://shop.example", "http://localhost:3000"])).await;
    for origin in [None, Some("https://shop.example"), Some("http://localhost:3000")] {
        load(&staging, origin).await.ok(200);
    }
    for origin in
        ["http://shop.example", "https://shop.example:444", "https://evil.example", "https://shop.example.evil.example"]
    {
        assert_rejected(&load(&staging, Some(origin)).await);
    }
    // Each environment has its own list.
    load(&server.browser("production"), Some("https://evil.example")).await.ok(200);
}

#[apply(on_default_database)]
async fn origin_null_is_allowed_only_if_listed(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.browser("staging");
    allow(&server, &json!(["https://shop.example"])).await;
    assert_rejected(&load(&staging, Some("null")).await);
    allow(&server, &json!(["https://shop.example", "null"])).await;
    load(&staging, Some("null")).await.ok(200);
}

#[apply(on_each_database)]
async fn a_changed_list_takes_effect_at_once(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.browser("staging");
    for _ in 0..5 {
        allow(&server, &json!(["https://other.example"])).await;
        assert_rejected(&load(&staging, Some("https://shop.example")).await);
        allow(&server, &json!([])).await;
        load(&staging, Some("https://shop.example")).await.ok(200);
    }
}

#[apply(on_default_database)]
async fn streams_and_goals_check_the_list_too(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.browser("staging");
    let loaded = staging.load_id("alice").await;
    allow(&server, &json!(["https://shop.example"])).await;
    let from_page = |method: Method, path: &str| staging.request(method, path).header("origin", "https://evil.example");
    assert_rejected(&staging.send(from_page(Method::GET, &format!("/stream?token={}", loaded.token))).await);
    let goal = json!({ "goals": [{ "id": "goal-0001", "key": "purchase", "userId": "alice" }] });
    assert_rejected(&staging.send(from_page(Method::POST, "/goals").json(&goal)).await);
    let goals = server.read_only().get(&environment("staging", "/goals")).await.items();
    assert_eq!(goals, [] as [Value; 0]);
}

#[apply(on_default_database)]
async fn a_preflight_request_is_allowed_from_every_origin(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.browser("staging");
    allow(&server, &json!(["https://shop.example"])).await;
    let preflight = staging.request(Method::OPTIONS, "/load").header("origin", "https://evil.example");
    staging.send(preflight.header("access-control-request-method", "POST")).await.ok(204);
}

#[apply(on_default_database)]
async fn an_open_stream_ends_when_its_origin_is_removed_from_the_list(database: Database) {
    let server = Server::start(&database).await;
    let staging = server.browser("staging");
    let loaded = staging.load_id("alice").await;
    let path = format!("/stream?token={}&since={}", loaded.token, loaded.since);
    let open = |origin| EventStream::open(staging.request(Method::GET, &path).header("origin", origin));
    let mut shop = open("https://shop.example").await;
    let mut kiosk = open("https://kiosk.example").await;
    let mut service = staging.open_path(&path).await;
    allow(&server, &json!(["https://kiosk.example"])).await;
    shop.expect_empty("reload").await;
    shop.expect_end().await;
    assert_rejected(&load(&staging, Some("https://shop.example")).await);
    server.switch_search_suggestions("staging", false).await;
    for stream in [&mut kiosk, &mut service] {
        assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    }
}
