//! Errors in the format of OpenFeature, readable for pages of every origin.

use std::num::NonZeroU32;

use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::ClientLimits;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use super::alice;
use crate::fixture::{ApiResponse, Server, environment, on_default_database};

fn assert_error(response: &ApiResponse, status: u16, code: &str) {
    let body = response.ok(status);
    assert_eq!(body["errorCode"], code, "{body}");
    assert!(body["errorDetails"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
    assert_cors_headers(response);
}

fn assert_cors_headers(response: &ApiResponse) {
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
    assert_eq!(response.header("access-control-expose-headers"), Some("etag, retry-after"));
}

#[apply(on_default_database)]
async fn an_invalid_context_is_a_bad_request_with_the_openfeature_error_code(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    for (body, code) in [
        ("{", "PARSE_ERROR"),
        ("", "PARSE_ERROR"),
        ("{}", "INVALID_CONTEXT"),
        ("[]", "INVALID_CONTEXT"),
        (r#"{"context": "alice"}"#, "INVALID_CONTEXT"),
        (r#"{"context": {"targetingKey": 7}}"#, "INVALID_CONTEXT"),
        (r#"{"context": {}}"#, "TARGETING_KEY_MISSING"),
        (r#"{"context": {"targetingKey": ""}}"#, "TARGETING_KEY_MISSING"),
        (r#"{"context": {"targetingKey": null}}"#, "TARGETING_KEY_MISSING"),
    ] {
        for (path, key) in [("", None), ("/search-suggestions", Some("search-suggestions"))] {
            let request = provider.request(Method::POST, path).header("content-type", "application/json");
            let response = provider.send(request.body(body)).await;
            assert_error(&response, 400, code);
            assert_eq!(response.ok(400).get("key").and_then(|key| key.as_str()), key, "{body}");
        }
    }
}

#[apply(on_default_database)]
async fn an_unknown_or_archived_feature_is_not_found(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    for key in ["nobody", "old-basket", "Not%20a%20key"] {
        let request = provider.request(Method::POST, &format!("/{key}")).json(&json!({ "context": alice() }));
        let response = provider.send(request).await;
        assert_error(&response, 404, "FLAG_NOT_FOUND");
        assert_eq!(response.ok(404)["key"], key.replace("%20", " "));
    }
}

#[apply(on_default_database)]
async fn a_missing_or_unknown_key_or_a_personal_token_gets_401(database: Database) {
    let server = Server::start(&database).await;
    let token = server.token(flagservice_server::domain::role::Role::Administrator, None).await;
    let known = server.provider("production");
    for path in ["", "/search-suggestions"] {
        let body = json!({ "context": alice() });
        for key in ["js-nobody", "srv-nobody", "", token.as_str()] {
            let provider = server.provider_with(key);
            let response = provider.send(provider.request(Method::POST, path).json(&body)).await;
            response.problem(401, "unauthenticated");
            assert_cors_headers(&response);
        }
        known.send(known.anonymous(Method::POST, path).json(&body)).await.problem(401, "unauthenticated");
        let key = server.client_key("production");
        known.send(known.anonymous(Method::POST, path).header("x-api-key", key).json(&body)).await.ok(200);
    }
}

#[apply(on_default_database)]
async fn an_origin_that_is_not_allowed_gets_403(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("staging");
    let edit = json!({ "allowedOrigins": ["https://shop.example"] });
    server.administrator().patch(&environment("staging", ""), &edit).await.ok(200);
    let from_origin = |origin: &str| {
        provider.request(Method::POST, "").header("origin", origin.to_owned()).json(&json!({ "context": alice() }))
    };
    provider.send(from_origin("https://shop.example")).await.ok(200);
    let response = provider.send(from_origin("https://evil.example")).await;
    response.problem(403, "origin-not-allowed");
    assert_cors_headers(&response);
}

#[apply(on_default_database)]
async fn too_many_evaluations_get_429_and_share_the_limit_of_loads(database: Database) {
    let number = |number| NonZeroU32::new(number).unwrap();
    let limits = ClientLimits { requests_per_second: number(1), burst: number(3), ..ClientLimits::default() };
    let server = Server::start_with(&database, Settings { limits, ..Settings::default() }).await;
    let (provider, browser) = (server.provider("staging"), server.browser("staging"));
    let mut assert_error = None;
    for _ in 0..200 {
        browser.post_load(r#"{"user": {"id": "alice"}}"#).await;
        let response = provider.all(&alice()).await;
        if response.status == 429 {
            assert_error = Some(response);
            break;
        }
    }
    let assert_error = assert_error.expect("a rejection");
    assert_error.problem(429, "too-many-requests");
    assert!((1..=60).contains(&assert_error.header("retry-after").unwrap().parse::<u32>().unwrap()));
    assert_cors_headers(&assert_error);
}

#[apply(on_default_database)]
async fn other_content_types_and_too_large_bodies_are_rejected(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    let plain = provider.request(Method::POST, "").header("content-type", "text/plain").body("{}");
    provider.send(plain).await.problem(415, "unsupported-media-type");
    let long = json!({ "context": { "targetingKey": "a".repeat(16 * 1024) } });
    provider.send(provider.request(Method::POST, "").json(&long)).await.problem(413, "too-large");
}

#[apply(on_default_database)]
async fn a_preflight_allows_credentials_and_etags(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    for path in ["", "/search-suggestions"] {
        let request = provider.anonymous(Method::OPTIONS, path).header("origin", "https://shop.example");
        let response = provider.send(request.header("access-control-request-method", "POST")).await;
        response.ok(204);
        let allowed: Vec<_> = response.header("access-control-allow-headers").unwrap().split(", ").collect();
        for header in ["authorization", "content-type", "if-none-match", "x-api-key"] {
            assert!(allowed.contains(&header), "{header}");
        }
        assert!(response.header("access-control-allow-methods").unwrap().contains("POST"));
        assert_cors_headers(&response);
    }
}
