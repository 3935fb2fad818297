//! An edge keeps serving without its upstream, from memory and from its files.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{ApiResponse, Edge, Network, Proxy, Server, eventually, http_client, on_sqlite};

/// Nothing listens there.
const NOBODY: &str = "http://127.0.0.1:9";

#[apply(on_sqlite)]
async fn an_edge_starts_from_its_files_and_serves_without_its_upstream(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    server.switch_search_suggestions("production", false).await;
    let client_key = server.client_key("production");
    let expected = server.browser("production").load_id("ada").await;
    let is_current = async || edge.browser(client_key).load_id("ada").await.since == expected.since;
    eventually("the change has reached the edge", is_current).await;

    let restarted = edge.restart(NOBODY).await;
    let loaded = restarted.browser(client_key).load_id("ada").await;
    assert_eq!((loaded.features, &loaded.since), (expected.features.clone(), &expected.since));
    restarted.get("/health/ready").await.problem(503, "degraded");
    assert_eq!(restarted.get("/health/ready?accept=degraded").await.ok(200)["status"], "degraded");
    // A token of the server still opens a stream.
    let mut stream = restarted.browser(client_key).open(&expected).await;
    let again = restarted.restart(&format!("http://{}", server.socket_address())).await.ready().await;
    assert!(stream.next_or_end().await.is_none_or(|event| event.name == "reload"));
    assert_eq!(again.browser(client_key).load_id("ada").await.since, expected.since);
}

#[apply(on_sqlite)]
async fn files_are_for_their_owner_alone_and_tell_no_name(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    eventually("the files are written", async || {
        edge.files("bundles").iter().filter(|file| file.extension().is_some_and(|ending| ending == "bundle")).count()
            == 3
    })
    .await;
    for file in edge.files("bundles") {
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains("search-suggestions"), "{file:?}");
    }
}

#[apply(on_sqlite)]
async fn after_an_outage_an_edge_has_the_changes_that_were_made_meanwhile(database: Database) {
    let server = Server::start(&database).await;
    let proxy = Proxy::to_http(server.socket_address()).await;
    let key = crate::fixture::edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let edge = Edge::start(proxy.url(), &key, &server.clock).await.ready().await;
    let browser = edge.browser(server.client_key("production"));
    let loaded = browser.load_id("ada").await;
    let mut stream = browser.open(&loaded).await;

    proxy.set(Network::Closed);
    eventually("the edge has lost its upstream", async || !edge.service.health.is_current()).await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(browser.load_id("ada").await.since, loaded.since, "The edge serves what it has.");
    proxy.set(Network::Up);
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_sqlite)]
async fn an_edge_whose_connection_breaks_often_connects_again_soon_each_time(database: Database) {
    let server = Server::start(&database).await;
    let proxy = Proxy::to_http(server.socket_address()).await;
    let key = crate::fixture::edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let edge = Edge::start(proxy.url(), &key, &server.clock).await.ready().await;
    // That delays do not grow from one outage to the next is shown by the tests of `FollowState`.
    for _ in 0..20 {
        proxy.set(Network::Closed);
        eventually("the edge has lost its upstream", async || !edge.service.health.is_current()).await;
        proxy.set(Network::Up);
        eventually("the edge has its upstream again", async || edge.service.health.is_current()).await;
    }
}

#[apply(on_sqlite)]
async fn an_edge_without_files_and_upstream_says_that_it_is_not_ready_and_not_that_the_key_is_unknown(
    database: Database,
) {
    let server = Server::start(&database).await;
    let edge = Edge::start(NOBODY, "edge-unused", &server.clock).await;
    let body = r#"{"user":{"id":"ada"}}"#;
    edge.browser(server.client_key("staging")).post_load(body).await.problem(503, "not-ready");
    edge.get("/health/ready?accept=degraded").await.problem(503, "degraded");
}

#[apply(on_sqlite)]
async fn an_edge_that_was_without_its_upstream_for_longer_than_the_maximum_age_serves_nothing(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let (client_key, body) = (server.client_key("staging"), r#"{"user":{"id":"ada"}}"#);
    server.clock.set(Instant(server.app.now().0 + 3 * 60 * 60 * 1000));
    let edge = edge.restart_with_max_age(NOBODY, Some(Duration::from_hours(4))).await;
    edge.browser(client_key).post_load(body).await.ok(200);
    let edge = edge.restart_with_max_age(NOBODY, Some(Duration::from_hours(2))).await;
    edge.browser(client_key).post_load(body).await.problem(503, "not-ready");
    let upstream = format!("http://{}", server.socket_address());
    let edge = edge.restart_with_max_age(&upstream, Some(Duration::from_hours(2))).await.ready().await;
    edge.browser(client_key).post_load(body).await.ok(200);
}

#[apply(on_sqlite)]
async fn an_edge_keeps_what_it_has_while_the_edge_that_it_follows_has_nothing(database: Database) {
    let server = Server::start(&database).await;
    let key = crate::fixture::edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let address = format!("http://{}", server.socket_address());
    let edge = Edge::start(&address, &key, &server.clock).await.ready().await;
    let empty = Edge::start(NOBODY, &key, &server.clock).await;
    let rejected = http_client().post(format!("{}/edge/v1/follow", empty.address)).bearer_auth(&key).json(&json!({}));
    ApiResponse::fetch(rejected).await.problem(503, "not-ready");

    let (client_key, body) = (server.client_key("staging"), r#"{"user":{"id":"ada"}}"#);
    let edge = edge.restart(&empty.address).await;
    edge.browser(client_key).post_load(body).await.ok(200);
    // The one that it follows has everything now, and so does it.
    let upstream = empty.restart(&address).await.ready().await;
    let edge = edge.restart(&upstream.address).await.ready().await;
    edge.browser(client_key).post_load(body).await.ok(200);
}

#[apply(on_sqlite)]
async fn the_maximum_age_counts_from_the_server_also_while_the_edge_that_is_followed_is_there(database: Database) {
    let server = Server::start(&database).await;
    let proxy = Proxy::to_http(server.socket_address()).await;
    let key = crate::fixture::edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let first = Edge::start(proxy.url(), &key, &server.clock).await.ready().await;
    let second = Edge::start(&first.address, &key, &server.clock).await.ready().await;
    let second = second.restart_with_max_age(&first.address, Some(Duration::from_secs(3))).await.ready().await;
    let (client_key, body) = (server.client_key("staging"), r#"{"user":{"id":"ada"}}"#);
    let served = async || second.browser(client_key).post_load(body).await.status == 200;
    eventually("the second edge serves", served).await;

    proxy.set(Network::Closed);
    let stopped = async || second.service.serving.snapshots.environments().is_empty();
    eventually("the second edge serves nothing", stopped).await;
    first.browser(client_key).post_load(body).await.ok(200);
    second.browser(client_key).post_load(body).await.problem(503, "not-ready");
    proxy.set(Network::Up);
    eventually("the second edge serves again", served).await;
}
