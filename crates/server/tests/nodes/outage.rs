//! The network between a node and its database fails: evaluation continues, writes fail clearly, and the node catches up.

use std::time::{Duration, Instant};

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{
    ApiResponse, Browser, Database, EventStream, Network, Proxy, Server, edge_key, environment, eventually,
    http_client, on_postgres, targeting_of,
};

/// How long a response may take while the database does not respond: less than the 5 s for which a query waits for a connection.
const MAX_RESPONSE_TIME: Duration = Duration::from_millis(4_900);

/// Waits until the server has noticed that the database is unavailable. A slow machine is another reason not to be ready.
async fn wait_for_loss(server: &Server) {
    let has_noticed = async || {
        let ready = server.anonymous().get("/health/ready").await;
        ready.status == 503
            && ready.problem(503, "degraded")["detail"].as_str().unwrap().contains("The database has been unavailable")
    };
    eventually("the server has noticed that the database is unavailable", has_noticed).await;
}

/// Waits until the metrics contain this line.
async fn wait_for_metric(server: &Server, line: &str) {
    let has_line = async || server.anonymous().get("/metrics").await.text.lines().any(|found| found == line);
    eventually(line, has_line).await;
}

async fn outage(database: Database, network: Network) {
    let proxy = Proxy::to(database.url()).await;
    let near = Server::start(&database).await;
    let cut_off = Server::start_on_url(&database, proxy.url(), Settings::default()).await;
    let browser = cut_off.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    cut_off.anonymous().wait_until_ready().await;

    proxy.set(network);
    wait_for_loss(&cut_off).await;
    let degraded = cut_off.anonymous().get("/health/ready?accept=degraded").await.ok(200);
    assert_eq!(degraded["status"], "degraded");
    cut_off.anonymous().get("/health/live").await.ok(200);
    wait_for_metric(&cut_off, "flagservice_database_up 0").await;
    wait_for_metric(&cut_off, "flagservice_outbox_entries -1").await;

    // Evaluation and streams continue from memory.
    let start = Instant::now();
    assert_eq!(browser.load_id("alice").await.features, loaded.features);
    browser.open_at(&loaded.token, "").await.put().await;
    assert!(start.elapsed() < MAX_RESPONSE_TIME, "{:?}", start.elapsed());
    // Writes fail at once with a clear error.
    let path = targeting_of("search-suggestions", "production");
    let start = Instant::now();
    let response = cut_off.administrator().patch(&path, &json!({ "enabled": false })).await;
    response.problem(503, "database-unavailable");
    assert!(response.header("retry-after").is_some());
    assert!(start.elapsed() < MAX_RESPONSE_TIME, "{:?}", start.elapsed());
    let start = Instant::now();
    let goals = browser.goals(&json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }])).await;
    goals.problem(503, "database-unavailable");
    assert!(start.elapsed() < MAX_RESPONSE_TIME, "{:?}", start.elapsed());

    // A client that has seen a newer version on another node is not reverted.
    near.switch_search_suggestions("production", false).await;
    let newer = near.browser("production").load_id("alice").await;
    assert_eq!(newer.features["search-suggestions"], "off");
    let mut moved = browser.open(&newer).await;
    moved.expect_empty("reload").await;
    moved.expect_end().await;

    proxy.set(Network::Up);
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    cut_off.anonymous().wait_until_ready().await;
    wait_for_metric(&cut_off, "flagservice_database_up 1").await;
    let mut moved = browser.open(&newer).await;
    cut_off.switch_search_suggestions("production", true).await;
    assert_eq!(moved.patch().await, json!({ "search-suggestions": "on" }));
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "on" }));
    browser.goals(&json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }])).await.ok(202);
}

#[apply(on_postgres)]
async fn a_node_with_closed_database_connections_keeps_serving_and_catches_up(database: Database) {
    outage(database, Network::Closed).await;
}

#[apply(on_postgres)]
async fn a_node_with_a_silent_database_network_keeps_serving_and_catches_up(database: Database) {
    outage(database, Network::Silent).await;
}

#[apply(on_postgres)]
async fn a_node_without_its_database_takes_nothing_from_an_edge_and_says_how_old_its_state_is(database: Database) {
    let proxy = Proxy::to(database.url()).await;
    let near = Server::start(&database).await;
    let cut_off = Server::start_on_url(&database, proxy.url(), Settings::default()).await;
    let text = |created: serde_json::Value| created["key"].as_str().unwrap().to_owned();
    let known = text(edge_key(&cut_off, &[]).await);
    let follow = |key: &str| {
        let address = format!("http://{}/edge/v1/follow", cut_off.socket_address());
        http_client().post(address).bearer_auth(key).json(&json!({}))
    };
    proxy.set(Network::Closed);
    wait_for_loss(&cut_off).await;

    // Keys that were made elsewhere meanwhile.
    let new = text(edge_key(&near, &[]).await);
    ApiResponse::fetch(follow(&new)).await.problem(503, "not-ready");
    let path = environment("staging", "/client-keys");
    let client_key = text(near.administrator().post(&path, &json!({ "name": "Shop" })).await.ok(201));
    let browser = Browser::new(http_client(), &format!("http://{}", cut_off.socket_address()), &client_key);
    browser.post_load(r#"{"user":{"id":"ada"}}"#).await.problem(503, "not-ready");

    let mut events = EventStream::open(follow(&known)).await;
    let mut ages = Vec::new();
    let mut environments = 0;
    while ages.len() < 2 || environments < 3 {
        let event = events.next_of_any_name().await;
        match event.name.as_str() {
            "beat" => ages.push(event.data["ageMs"].as_u64().unwrap()),
            "environment" => environments += 1,
            other => panic!("{other}"),
        }
    }
    assert_eq!(environments, 3);
    assert!(0 < ages[0] && ages[0] < ages[1], "{ages:?}");

    proxy.set(Network::Up);
    while events.next_of_any_name().await.name != "current" {}
    eventually("the node has the new key", async || follow(&new).send().await.unwrap().status() == 200).await;
}
