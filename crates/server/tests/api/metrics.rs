//! `GET /metrics`: the values, and that they contain no personal data.

use flagservice_server::http::Settings;
use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, on_default_database};

/// All metrics as text.
async fn read(server: &Server) -> String {
    let response = server.anonymous().metrics().await;
    assert_eq!(response.status, 200, "{}", response.text);
    assert!(response.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    response.text
}

/// The value of the metric with this name and these labels.
fn value(text: &str, name: &str, labels: &[&str]) -> f64 {
    let fits = |line: &&str| {
        let rest = line.strip_prefix(name).filter(|rest| rest.starts_with(['{', ' ']));
        rest.is_some_and(|rest| labels.iter().all(|label| rest.contains(label)))
    };
    let lines: Vec<_> = text.lines().filter(fits).collect();
    let [line] = lines.as_slice() else { panic!("{name} {labels:?}: {lines:?} in {text}") };
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[apply(on_default_database)]
async fn requests_streams_events_and_goals_are_counted(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    let environments = server.read_only().get(&crate::fixture::project("/environments")).await.items();
    let id = environments[2]["id"].as_str().unwrap();
    let environment = format!("environment=\"{id}\"");
    server.switch_search_suggestions("production", false).await;
    stream.patch().await;
    let goals = ["goal-0001", "goal-0002"].map(|id| json!({ "id": id, "key": "purchase", "userId": "alice" }));
    browser.goals(&json!(goals)).await.ok(202);
    browser.post_load("{}").await.problem(422, "invalid");

    let text = read(&server).await;
    let of_loads = ["method=\"POST\"", "route=\"/client/v1/{clientKey}/load\""];
    for (status, count) in [("status=\"200\"", 1.0), ("status=\"422\"", 1.0)] {
        let labels = [of_loads[0], of_loads[1], status];
        assert_eq!(value(&text, "flagservice_request_duration_seconds_count", &labels), count, "{status} in {text}");
    }
    assert_eq!(value(&text, "flagservice_open_streams", &[&environment]), 1.0);
    assert_eq!(value(&text, "flagservice_stream_events_total", &["event=\"patch\""]), 1.0);
    assert_eq!(value(&text, "flagservice_goals_total", &[]), 2.0);
    assert_eq!(value(&text, "flagservice_database_up", &[]), 1.0);
    let version = browser.load_id("alice").await.known_version().version;
    assert_eq!(value(&text, "flagservice_environment_version", &[&environment]), version as f64);
    let entries: u64 = environments.iter().map(|environment| environment["version"].as_u64().unwrap()).sum();
    assert_eq!(value(&text, "flagservice_outbox_entries", &[]), (entries + 1) as f64);

    drop(stream);
    while value(&read(&server).await, "flagservice_open_streams", &[&environment]) != 0.0 {
        tokio::task::yield_now().await;
    }
}

#[apply(on_default_database)]
async fn metrics_contain_no_user_key_token_or_path(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let user = json!({ "id": "canary-id", "attributes": { "email": "canary-attribute" } });
    let loaded = browser.load(&user).await;
    let _stream = browser.open(&loaded).await;
    browser.goals(&json!([{ "id": "canary-goal", "key": "canary-key", "userId": "canary-id" }])).await.ok(202);
    server.anonymous().get("/canary-path").await;
    server.administrator().get("/api/v1/projects/canary-project").await;
    let odd = server.anonymous().request(reqwest::Method::from_bytes(b"CANARY").unwrap(), "/health/live");
    server.anonymous().send(odd).await;
    let text = read(&server).await;
    let credentials = database.credentials();
    let secrets = credentials.client_keys.values().chain(credentials.tokens.values().map(|person| &person.token));
    for secret in secrets.map(String::as_str).chain(["canary", "CANARY", &loaded.token]) {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.contains("method=\"other\""), "{text}");
}

#[apply(on_default_database)]
async fn with_their_own_address_metrics_are_served_only_there(database: Database) {
    let server = Server::start_with(&database, Settings { metrics: false, ..Settings::default() }).await;
    server.anonymous().get("/metrics").await.problem(404, "no-such-path");
}
