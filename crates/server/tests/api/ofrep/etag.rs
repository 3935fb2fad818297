//! The ETag of a bulk evaluation depends on the configuration, the context and time conditions.

use macro_rules_attribute::apply;
use serde_json::json;

use super::alice;
use crate::fixture::{Server, at, on_default_database, on_each_database};

#[apply(on_default_database)]
async fn a_client_with_current_values_gets_304_and_the_etag(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    let response = provider.all(&alice()).await;
    let etag = response.etag();
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    for known in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
        let unchanged = provider.all_if_none_match(&alice(), &known).await;
        assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""), "{known}");
        assert_eq!(unchanged.etag(), etag);
        assert_eq!(unchanged.header("access-control-allow-origin"), Some("*"));
    }
    assert_eq!(provider.all_if_none_match(&alice(), "\"other\"").await.status, 200);
}

#[apply(on_each_database)]
async fn another_context_has_another_etag_regardless_of_attribute_order(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    let etag = |context: &'static str| {
        let provider = &provider;
        async move {
            let body = format!("{{\"context\": {context}}}");
            let request = provider.request(reqwest::Method::POST, "").header("content-type", "application/json");
            provider.send(request.body(body)).await.etag()
        }
    };
    let known = etag(r#"{"targetingKey": "alice", "country": "SE", "age": 41}"#).await;
    assert_eq!(etag(r#"{"age": 41.0, "country": "SE", "targetingKey": "alice"}"#).await, known);
    for other in [
        r#"{"targetingKey": "bob", "country": "SE", "age": 41}"#,
        r#"{"targetingKey": "alice", "country": "NO", "age": 41}"#,
        r#"{"targetingKey": "alice", "country": "SE"}"#,
        r#"{"targetingKey": "alice", "country": "SE", "age": "41"}"#,
    ] {
        assert_ne!(etag(other).await, known, "{other}");
    }
}

#[apply(on_default_database)]
async fn the_etag_changes_with_configuration_key_and_time_conditions(database: Database) {
    let server = Server::start(&database).await;
    let (production, staging) = (server.provider("production"), server.provider("staging"));
    let first = production.all(&alice()).await.etag();
    assert_ne!(staging.all(&alice()).await.etag(), first);
    server.switch_search_suggestions("production", false).await;
    let changed = production.all_if_none_match(&alice(), &first).await;
    changed.ok(200);

    // The time condition changes after midnight of 1 December; the six hours of the token start at midnight too.
    server.clock.set(at("2026-11-30T23:59:58Z"));
    let before = production.all(&alice()).await.etag();
    server.clock.set(at("2026-11-30T23:59:59Z"));
    assert_eq!(production.all_if_none_match(&alice(), &before).await.status, 304);
    server.clock.set(at("2026-12-01T00:00:00Z"));
    let midnight = production.all(&alice()).await.etag();
    server.clock.set(at("2026-12-01T00:00:01Z"));
    let after = production.all_if_none_match(&alice(), &midnight).await;
    let flags = after.ok(200)["flags"].clone();
    let sale = flags.as_array().unwrap().iter().find(|flag| flag["key"] == "winter-sale").unwrap();
    assert_eq!(sale["value"], json!(true));
}

#[apply(on_default_database)]
async fn a_repeated_request_gets_a_new_token_before_the_old_one_expires(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("staging");
    server.clock.set(at("2027-03-01T05:59:59Z"));
    let response = provider.all(&alice()).await;
    server.clock.set(at("2027-03-01T06:00:00Z"));
    let renewed = provider.all_if_none_match(&alice(), &response.etag()).await;
    assert_eq!(renewed.ok(200)["flags"], response.ok(200)["flags"]);
    // By then the first token has expired, which tells the provider to evaluate again.
    server.clock.set(at("2027-03-01T17:59:59Z"));
    provider.send(provider.get(&provider.stream_url(&response))).await.problem(401, "unauthenticated");
    provider.open(&renewed).await;
}
