//! A client cannot tell an edge from a server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Edge, EventStream, Server, environment, eventually, features, on_default_database, on_each_database, targeting_of,
};

/// What a client gets from a load, without the token, which is encrypted with a new nonce each time.
async fn loaded(browser: &crate::fixture::Browser, user: &Value) -> (Value, String) {
    let loaded = browser.load(user).await;
    (json!(loaded.features), loaded.since)
}

#[apply(on_default_database)]
async fn a_load_from_an_edge_and_from_an_edge_of_an_edge_is_that_of_the_server(database: Database) {
    let server = Server::start(&database).await;
    let (edge, second) = Edge::chain(&server).await;
    for environment in ["development", "staging", "production"] {
        let client_key = server.client_key(environment);
        for user in ["ada", "bo", "chen"] {
            let user = json!({ "id": user, "attributes": { "country": "DE", "plan": "pro" } });
            let expected = loaded(&server.browser(environment), &user).await;
            assert_eq!(loaded(&edge.browser(client_key), &user).await, expected);
            assert_eq!(loaded(&second.browser(client_key), &user).await, expected);
        }
    }
}

#[apply(on_default_database)]
async fn the_rules_for_a_service_are_byte_for_byte_those_of_the_server(database: Database) {
    let server = Server::start(&database).await;
    let service = server.server_key("production").await;
    let edge = Edge::of(&server).await;
    let request = crate::fixture::http_client().get(format!("{}/server/v1/rules", edge.address));
    let from_edge = crate::fixture::ApiResponse::fetch(request.bearer_auth(&service.text)).await;
    let from_server = service.rules().await;
    from_edge.ok(200);
    assert_eq!(from_edge.text, from_server.text);
    assert_eq!(from_edge.header("etag"), from_server.header("etag"));
}

#[apply(on_default_database)]
async fn a_change_reaches_a_stream_of_an_edge_that_was_loaded_from_the_server(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let loaded = server.browser("production").load_id("ada").await;
    let mut stream = edge.browser(server.client_key("production")).open(&loaded).await;
    for enabled in [false, true] {
        server.switch_search_suggestions("production", enabled).await;
        let value = if enabled { "on" } else { "off" };
        assert_eq!(stream.patch().await, json!({ "search-suggestions": value }));
    }
}

#[apply(on_default_database)]
async fn a_new_feature_and_an_archived_one_reach_an_edge(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let browser = edge.browser(server.client_key("staging"));
    let loaded = browser.load_id("ada").await;
    let mut stream = browser.open(&loaded).await;
    server.administrator().post(&features(""), &json!({ "key": "banner-two", "name": "Banner" })).await.ok(201);
    assert_eq!(stream.patch().await, json!({ "banner-two": "off" }));
    let targeting = json!({ "enabled": true, "rules": [{ "splits": [{ "variantKey": "on", "percentage": 100 }] }] });
    server.administrator().patch(&targeting_of("banner-two", "staging"), &targeting).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "banner-two": "on" }));
    let archived = json!({ "lifecycle": "Archived" });
    server.administrator().patch(&features("/banner-two"), &archived).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "banner-two": null }));
}

#[apply(on_default_database)]
async fn a_new_environment_reaches_an_edge_with_a_key_for_the_project(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let path = "/api/v1/projects/shop/environments";
    server.administrator().post(path, &json!({ "key": "live", "name": "Live" })).await.ok(201);
    let created = server.administrator().post(&environment("live", "/client-keys"), &json!({ "name": "Page" })).await;
    let client_key = created.ok(201)["key"].as_str().unwrap().to_owned();
    let browser = edge.browser(&client_key);
    let is_served = async || browser.post_load(r#"{"user":{"id":"ada"}}"#).await.status == 200;
    crate::fixture::eventually("the edge serves the new environment", is_served).await;
}

#[apply(on_each_database)]
async fn an_edge_has_no_rest_api_and_no_pages(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    for path in ["/", "/api/v1/projects", "/ui/session", "/docs/", "/sign-in"] {
        edge.get(path).await.problem(404, "no-such-path");
    }
    assert_eq!(edge.get("/health/live").await.ok(200), json!({ "status": "live" }));
    // On a busy machine it may be out of touch with its upstream for a moment.
    let is_ready = async || {
        let ready = edge.get("/health/ready").await;
        ready.status == 200 && ready.ok(200)["environments"] == 3
    };
    eventually("the edge is ready with all environments", is_ready).await;
    let has_upstream = async || {
        let metrics = edge.get("/metrics").await.text;
        assert!(!metrics.contains("flagservice_database_up"), "{metrics}");
        metrics.contains("flagservice_upstream_up 1\n")
    };
    eventually("the metrics say that the upstream responds", has_upstream).await;
}

#[apply(on_default_database)]
async fn a_large_environment_travels_compressed(database: Database) {
    let server = Server::start(&database).await;
    for number in 0..40 {
        let feature = json!({ "key": format!("feature-{number}"), "name": "One of many" });
        server.administrator().post(&features(""), &feature).await.ok(201);
    }
    let edge_key = crate::fixture::edge_key(&server, &["staging"]).await["key"].as_str().unwrap().to_owned();
    let request = crate::fixture::http_client().post(format!("http://{}/edge/v1/follow", server.socket_address()));
    let mut stream = EventStream::open(request.bearer_auth(&edge_key).json(&json!({}))).await;
    let mut event = stream.next_event().await;
    while event.name != "environment" {
        event = stream.next_event().await;
    }
    let data = event.data;
    let packed = STANDARD.decode(data["gzip"].as_str().unwrap()).unwrap();
    // The magic number of gzip (RFC 1952).
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    let key = server.server_key("staging").await;
    let rules = key.rules().await;
    assert!(data.to_string().len() < rules.text.len() / 2, "{} of {}", data.to_string().len(), rules.text.len());

    let edge = Edge::of(&server).await;
    let request = crate::fixture::http_client().get(format!("{}/server/v1/rules", edge.address));
    let of_edge = || crate::fixture::ApiResponse::fetch(request.try_clone().unwrap().bearer_auth(&key.text));
    eventually("the edge knows the key", async || of_edge().await.status == 200).await;
    assert_eq!(of_edge().await.ok(200)["features"], key.rules().await.ok(200)["features"]);
}
