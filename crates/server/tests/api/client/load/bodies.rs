//! Bodies of `POST /load` that are unusual, too large or invalid.

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Browser, Server, on_default_database};

/// The maximum size of a load request body.
const MAX_BYTES: usize = 16 * 1024;

async fn features_of(browser: &Browser, body: &str) -> Value {
    browser.post_load(body).await.ok(200)["features"].clone()
}

#[apply(on_default_database)]
async fn unknown_fields_are_ignored(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let plain = features_of(&browser, r#"{"user": {"id": "alice"}}"#).await;
    let body =
        r#"{"sdk": "2.6.0", "user": {"id": "alice", "name": "Alice", "attributes": {"height": 1.7}}, "more": []}"#;
    assert_eq!(features_of(&browser, body).await, plain);
}

#[apply(on_default_database)]
async fn attributes_without_a_usable_value_are_ignored(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let nested = format!("{}1{}", r#"{"a":"#.repeat(1_000), "}".repeat(1_000));
    for odd in ["null", r#"{"code": "SE"}"#, r#"[null, {"code": "SE"}, ["SE"]]"#, &deep, &nested] {
        let user =
            |country: &str| format!(r#"{{"user": {{"id": "alice", "attributes": {{{country}"plan": "pro"}}}}}}"#);
        let odd_country = features_of(&browser, &user(&format!(r#""country": {odd}, "#))).await;
        assert_eq!(odd_country, features_of(&browser, &user("")).await, "{odd}");
        assert_eq!(odd_country["recommendations"], "on", "the attribute after {odd}");
    }
    let without = features_of(&browser, r#"{"user": {"id": "alice"}}"#).await;
    assert_eq!(features_of(&browser, r#"{"user": {"id": "alice", "attributes": null}}"#).await, without);
}

#[apply(on_default_database)]
async fn user_ids_in_any_script_are_accepted(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    for id in ["", "Ærøskøbing", "用户", "🦊", "a\u{0}b", "\u{202e}abc"] {
        assert_eq!(browser.load_id(id).await.features["search-suggestions"], "on", "{id:?}");
    }
}

#[apply(on_default_database)]
async fn a_body_of_16_kib_is_accepted_and_one_byte_more_is_too_large(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let body = |length: usize| {
        let empty = r#"{"user": {"id": ""}}"#.len();
        json!({ "user": { "id": "x".repeat(length - empty + 1) } }).to_string().replace(":{", ": {")
    };
    assert_eq!(body(MAX_BYTES).len(), MAX_BYTES);
    browser.post_load(&body(MAX_BYTES)).await.ok(200);
    browser.post_load(&body(MAX_BYTES + 1)).await.problem(413, "too-large");
    browser.post_load(&body(64 * MAX_BYTES)).await.problem(413, "too-large");
}

#[apply(on_default_database)]
async fn a_body_that_is_not_json_is_malformed(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    for body in ["", "{", r#"{"user": {"id": "alice"}"#, r#"{"user": {"id": "alice"}} {}"#, "user=alice"] {
        browser.post_load(body).await.problem(400, "malformed-json");
    }
    let latin = browser.request(Method::POST, "/load").header("content-type", "text/plain");
    let latin = latin.body(b"{\"user\": {\"id\": \"\xe6\"}}".to_vec());
    browser.send(latin).await.problem(400, "malformed-json");
}

#[apply(on_default_database)]
async fn json_with_the_wrong_shape_is_rejected_with_its_pointer(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    for (body, pointer) in [
        ("{}", ""),
        ("[]", ""),
        (r#"{"user": null}"#, "/user"),
        (r#"{"user": "alice"}"#, "/user"),
        (r#"{"user": {}}"#, "/user"),
        (r#"{"user": {"id": 7}}"#, "/user/id"),
        (r#"{"user": {"id": "alice", "attributes": "many"}}"#, "/user/attributes"),
    ] {
        assert_eq!(browser.post_load(body).await.pointers(), [pointer], "{body}");
    }
}

#[apply(on_default_database)]
async fn other_content_types_are_rejected(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let body = r#"{"user": {"id": "alice"}}"#;
    for content_type in ["application/x-www-form-urlencoded", "application/jsonp", "text/html", ""] {
        let request = browser.request(Method::POST, "/load").header("content-type", content_type).body(body);
        browser.send(request).await.problem(415, "unsupported-media-type");
    }
    browser.send(browser.request(Method::POST, "/load").body(body)).await.problem(415, "unsupported-media-type");
    for content_type in ["text/plain;charset=UTF-8", "Application/JSON; charset=utf-8"] {
        let request = browser.request(Method::POST, "/load").header("content-type", content_type).body(body);
        browser.send(request).await.ok(200);
    }
}
