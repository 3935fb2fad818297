//! Pages of every origin can read all responses of the client paths, including errors, without preflight requests.

use macro_rules_attribute::apply;
use reqwest::{Method, RequestBuilder};

use crate::fixture::{ApiResponse, Browser, Server, on_default_database};

const USER: &str = r#"{"user": {"id": "alice"}}"#;

fn plain(request: RequestBuilder, body: &str) -> RequestBuilder {
    request.header("content-type", "text/plain").body(body.to_owned())
}

async fn send_from_page(request: RequestBuilder, browser: &Browser) -> ApiResponse {
    browser.send(request.header("origin", "https://shop.example")).await
}

#[apply(on_default_database)]
async fn every_response_has_cors_headers_including_errors(database: Database) {
    let server = Server::start(&database).await;
    let (known, unknown) = (server.browser("production"), server.browser_with("js-nobody"));
    let load = |browser: &Browser, body: &str| plain(browser.request(Method::POST, "/load"), body);
    let html = known.request(Method::POST, "/load").header("content-type", "text/html").body(USER);
    let goals = r#"{"goals": []}"#;
    for (request, status) in [
        (load(&known, USER), 200),
        (plain(known.request(Method::POST, "/goals"), goals), 202),
        (known.request(Method::GET, "/stream?token=none"), 200),
        (load(&unknown, USER), 404),
        (plain(unknown.request(Method::POST, "/goals"), goals), 404),
        (load(&known, "{"), 400),
        (load(&known, "{}"), 422),
        (load(&known, &" ".repeat(16 * 1024 + 1)), 413),
        (html, 415),
        (known.request(Method::GET, "/load"), 405),
        (known.request(Method::DELETE, "/stream"), 405),
        (known.request(Method::GET, ""), 404),
        (known.request(Method::GET, "/"), 404),
        (known.request(Method::GET, "/nowhere"), 404),
        (known.request(Method::POST, "/load/more"), 404),
        (unknown.request(Method::GET, "/nowhere"), 404),
        (server.browser_with("").request(Method::GET, ""), 404),
        (known.request(Method::GET, "/stream?token=a&token=b"), 200),
        (server.browser_with("%FF").request(Method::GET, "/nowhere"), 404),
        (load(&server.browser_with("%FF"), USER), 404),
    ] {
        let shown = format!("{request:?}");
        let response = send_from_page(request, &known).await;
        assert_eq!(response.status, status, "{shown}: {}", response.text);
        assert_eq!(response.header("access-control-allow-origin"), Some("*"), "{shown}");
        if status >= 400 {
            assert_eq!(response.header("content-type"), Some("application/problem+json"), "{shown}: {}", response.text);
        }
    }
}

#[apply(on_default_database)]
async fn a_preflight_request_is_answered_although_clients_avoid_it(database: Database) {
    let server = Server::start(&database).await;
    for (client, path, method) in
        [("production", "/load", "POST"), ("production", "/goals", "POST"), ("production", "/stream", "GET")]
    {
        let browser = server.browser(client);
        let request = browser.request(Method::OPTIONS, path).header("access-control-request-method", method);
        let response = send_from_page(request.header("access-control-request-headers", "content-type"), &browser).await;
        response.ok(204);
        assert_eq!(response.header("access-control-allow-origin"), Some("*"));
        assert!(response.header("access-control-allow-methods").unwrap().split(", ").any(|allowed| allowed == method));
        assert_eq!(response.header("access-control-allow-headers"), Some("content-type"));
    }
}

#[apply(on_default_database)]
async fn an_unsupported_method_is_rejected_with_the_supported_ones(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let response = browser.send(browser.request(Method::GET, "/load")).await;
    response.problem(405, "method-not-allowed");
    assert_eq!(response.header("allow"), Some("POST"));
}

#[apply(on_default_database)]
async fn requests_without_an_origin_or_with_origin_null_are_accepted(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let load = || plain(browser.request(Method::POST, "/load"), USER);
    browser.send(load()).await.ok(200);
    browser.send(load().header("origin", "null")).await.ok(200);
}
