//! The network between a node and its database fails: evaluation goes on, writes fail clearly, and the node catches up.

use std::time::{Duration, Instant};

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Database, Network, Proxy, Server, on_postgres, targeting_of};

/// How long a node may take to notice that the database is lost, or back.
const NOTICED_WITHIN: Duration = Duration::from_secs(20);

/// How long an answer from memory may take while the database says nothing.
const FROM_MEMORY: Duration = Duration::from_secs(1);

/// Waits until the node's readiness has this status.
async fn readiness(server: &Server, status: u16) {
    let began = Instant::now();
    while server.anonymous().get("/health/ready").await.status != status {
        assert!(began.elapsed() < NOTICED_WITHIN, "/health/ready has not become {status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Asserts that the counters have this line.
async fn counts(server: &Server, line: &str) {
    let text = server.anonymous().get("/metrics").await.text;
    assert!(text.lines().any(|found| found == line), "{line} in {text}");
}

async fn outage(database: Database, network: Network) {
    let proxy = Proxy::to(database.url()).await;
    let near = Server::start(&database).await;
    let cut_off = Server::start_at(&database, proxy.url(), Settings::default()).await;
    let browser = cut_off.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    readiness(&cut_off, 200).await;

    proxy.set(network);
    readiness(&cut_off, 503).await;
    let ready = cut_off.anonymous().get("/health/ready").await;
    assert!(ready.problem(503, "degraded")["detail"].as_str().unwrap().contains("database"), "{}", ready.text);
    let degraded = cut_off.anonymous().get("/health/ready?accept=degraded").await.ok(200);
    assert_eq!(degraded["status"], "degraded");
    cut_off.anonymous().get("/health/live").await.ok(200);
    counts(&cut_off, "flagservice_database_up 0").await;
    counts(&cut_off, "flagservice_outbox_entries -1").await;

    // Evaluation and streams go on with what is known.
    let began = Instant::now();
    assert_eq!(browser.load_id("alice").await.features, loaded.features);
    browser.open_at(&loaded.token, "").await.put().await;
    assert!(began.elapsed() < FROM_MEMORY, "{:?}", began.elapsed());
    // Writes fail clearly, and at once.
    let path = targeting_of("search-suggestions", "production");
    let began = Instant::now();
    let answer = cut_off.administrator().patch(&path, &json!({ "enabled": false })).await;
    answer.problem(503, "database-unavailable");
    assert!(answer.header("retry-after").is_some());
    let goals = browser.goals(&json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }])).await;
    goals.problem(503, "database-unavailable");
    assert!(began.elapsed() < FROM_MEMORY, "{:?}", began.elapsed());

    // A client that has seen a newer version elsewhere is not taken back.
    near.switch_search_suggestions("production", false).await;
    let newer = near.browser("production").load_id("alice").await;
    assert_eq!(newer.features["search-suggestions"], "off");
    let mut moved = browser.open(&newer).await;
    moved.bare("reload").await;
    moved.end().await;

    proxy.set(Network::Whole);
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    readiness(&cut_off, 200).await;
    counts(&cut_off, "flagservice_database_up 1").await;
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
