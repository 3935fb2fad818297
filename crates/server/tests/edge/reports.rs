//! Goals that clients send to an edge reach the server, each once.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    ApiResponse, Edge, NOW, Network, Proxy, Server, edge_key, environment, eventually, http_client,
    on_default_database, project,
};

fn goal(id: &str) -> Value {
    json!({ "id": id, "key": "purchase", "userId": "ada", "features": { "search-suggestions": "on" } })
}

/// How often the goal `purchase` was reached in production, as the server counts.
async fn count(server: &Server) -> u64 {
    let goals = server.read_only().get(&environment("production", "/goals")).await.ok(200);
    goals["items"].as_array().unwrap().iter().map(|goal| goal["count"].as_u64().unwrap()).sum()
}

#[apply(on_default_database)]
async fn a_goal_that_an_edge_accepts_is_counted_once(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let browser = edge.browser(server.client_key("production"));
    for _ in 0..2 {
        assert_eq!(browser.goals(&json!([goal("goal-0001")])).await.ok(202), json!({ "accepted": 1 }));
    }
    browser.goals(&json!([goal("goal-0002")])).await.ok(202);
    eventually("the goals are reported", async || edge.files("goals").is_empty()).await;
    assert_eq!(count(&server).await, 2);
}

#[apply(on_default_database)]
async fn goals_of_an_outage_are_counted_after_the_edge_was_started_again(database: Database) {
    let server = Server::start(&database).await;
    let proxy = Proxy::to_http(server.socket_address()).await;
    let key = edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let edge = Edge::start(proxy.url(), &key, &server.clock).await.ready().await;
    proxy.set(Network::Closed);
    let browser = edge.browser(server.client_key("production"));
    for number in 0..20 {
        browser.goals(&json!([goal(&format!("goal-{number:04}"))])).await.ok(202);
    }
    assert_eq!(count(&server).await, 0);
    let edge = edge.restart(&format!("http://{}", server.socket_address())).await;
    eventually("the goals are reported", async || edge.files("goals").is_empty()).await;
    assert_eq!(count(&server).await, 20);
}

#[apply(on_default_database)]
async fn a_report_that_the_upstream_finds_too_large_arrives_in_parts(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let key = edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let environment = server.environment_id("production").await;
    let mut goals: Vec<_> = (0..1_100).map(|number| goal(&format!("goal-{number:04}"))).collect();
    let text = |goals: &[Value]| json!({ "goals": { environment.as_str(): goals } }).to_string();
    // With the uses of keys, which the edge adds, its own report is above the limit. A user id has at most 1,000 characters, not bytes.
    let mut missing = 4 * 1024 * 1024 - 5 - text(&goals).len();
    for goal in &mut goals {
        let length = missing.min(3_900);
        goal["userId"] = json!("ada".to_owned() + &"🦊".repeat(length / 4) + &"x".repeat(length % 4));
        missing -= length;
    }
    assert_eq!(text(&goals).len(), 4 * 1024 * 1024 - 5);
    let address = format!("{}/edge/v1/reports", edge.address);
    let request = http_client().post(address).bearer_auth(&key).header("content-type", "application/json");
    ApiResponse::fetch(request.body(text(&goals))).await.ok(202);
    eventually("the goals are reported", async || edge.files("goals").is_empty()).await;
    assert_eq!(count(&server).await, 1_100);
}

#[apply(on_default_database)]
async fn goals_that_the_server_does_not_store_for_an_edge_are_counted_as_dropped(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let key = edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let environment = server.environment_id("production").await;
    // An environment has at most 1,000 different goal keys.
    let goals: Vec<_> = (0..1_010)
        .map(|number| {
            let mut goal = goal(&format!("goal-{number:04}"));
            goal["key"] = json!(format!("key-{number}"));
            goal
        })
        .collect();
    let address = format!("{}/edge/v1/reports", edge.address);
    let report = json!({ "goals": { environment.as_str(): goals } });
    let accepted = ApiResponse::fetch(http_client().post(address).bearer_auth(&key).json(&report)).await.ok(202);
    assert_eq!(accepted, json!({ "accepted": 1_010 }), "the edge cannot know");
    eventually("the goals are reported", async || edge.files("goals").is_empty()).await;
    let metrics = server.anonymous().get("/metrics").await.text;
    assert!(metrics.lines().any(|line| line == "flagservice_goals_dropped_total 10"), "{metrics}");
}

#[apply(on_default_database)]
async fn goals_in_files_that_the_key_of_an_edge_does_not_open_stay_until_it_has_the_key_before(database: Database) {
    let server = Server::start(&database).await;
    let (address, proxy) =
        (format!("http://{}", server.socket_address()), Proxy::to_http(server.socket_address()).await);
    let new_key = async || edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let (old, new) = (new_key().await, new_key().await);
    let edge = Edge::start(proxy.url(), &old, &server.clock).await.ready().await;
    proxy.set(Network::Closed);
    let client_key = server.client_key("production");
    for number in 0..3 {
        edge.browser(client_key).goals(&json!([goal(&format!("goal-{number:04}"))])).await.ok(202);
    }
    let edge = edge.restart_with_keys(&address, &[&new]).await.ready().await;
    edge.browser(client_key).goals(&json!([goal("goal-0003")])).await.ok(202);
    // Later goals are reported; those that cannot be read stay and are counted.
    eventually("the goal is reported", async || count(&server).await == 1).await;
    eventually("its file is removed", async || edge.files("goals").len() == 3).await;
    let metrics = edge.get("/metrics").await.text;
    assert!(metrics.lines().any(|line| line == "flagservice_report_files 3"), "{metrics}");

    let edge = edge.restart_with_keys(&address, &[&old, &new]).await;
    eventually("the goals are reported", async || edge.files("goals").is_empty()).await;
    assert_eq!(count(&server).await, 4);
}

#[apply(on_default_database)]
async fn the_last_use_of_a_client_key_at_an_edge_is_known_to_the_server(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    edge.browser(server.client_key("staging")).load_id("ada").await;
    let path = environment("staging", "/client-keys");
    let is_known = async || {
        let keys = server.administrator().get(&path).await.ok(200);
        keys["items"].as_array().unwrap().iter().any(|key| key["lastUsedAt"].is_string())
    };
    eventually("the use is known", is_known).await;
}

#[apply(on_default_database)]
async fn the_list_of_edge_keys_shows_when_each_was_last_used_also_by_an_edge_of_an_edge(database: Database) {
    let server = Server::start(&database).await;
    let (_edge, second) = Edge::chain(&server).await;
    edge_key(&server, &[]).await;
    let used = async || {
        let keys = server.administrator().get(&project("/edge-keys")).await.items();
        keys.iter().filter(|key| key["lastUsedAt"].is_string()).count()
    };
    eventually("the uses of both keys are known", async || used().await == 2).await;
    eventually("the second edge has everything", async || second.service.health.is_current()).await;
}

#[apply(on_default_database)]
async fn a_report_that_no_client_can_have_sent_is_refused_and_holds_up_nothing(database: Database) {
    let server = Server::start(&database).await;
    let key = edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let environment = server.environment_id("production").await;
    let id = environment.as_str();
    let report = async |list: &str, entry: Value| {
        let body = json!({ "goals": { id: [goal("goal-0001")] }, list: { id: [entry] } });
        let address = format!("http://{}/edge/v1/reports", server.socket_address());
        ApiResponse::fetch(http_client().post(address).bearer_auth(&key).json(&body)).await
    };
    let changed = |mut entry: Value, field: &str, value: Value| {
        entry[field] = value;
        entry
    };
    let participation =
        json!({ "feature": "search-suggestions", "variant": "on", "userId": "ada", "segment": 1, "goalsBefore": 0 });
    let summary = json!({ "id": "summary-1", "client": "server", "at": NOW.0, "evaluations": {} });
    let of_search = |count: u64| json!({ "search-suggestions": { "on": count } });
    for (list, entry, field, value) in [
        ("goals", &goal("goal-0002"), "id", json!("short")),
        ("goals", &goal("goal-0002"), "key", json!("k".repeat(201))),
        ("goals", &goal("goal-0002"), "userId", json!("u".repeat(1_001))),
        ("participations", &participation, "userId", json!("u".repeat(1_001))),
        ("participations", &participation, "variant", json!("no key")),
        ("participations", &participation, "feature", json!("no key")),
        ("participations", &participation, "goalsBefore", json!(u64::MAX)),
        ("summaries", &summary, "id", json!("short")),
        ("summaries", &summary, "evaluations", of_search(u64::MAX)),
        ("summaries", &summary, "evaluations", of_search(1 << 32)),
    ] {
        let pointer = format!("/{list}/{id}/0/{field}");
        assert_eq!(report(list, changed(entry.clone(), field, value)).await.pointers(), [pointer]);
    }
    assert_eq!(count(&server).await, 0);
    report("summaries", changed(summary, "evaluations", of_search(u64::from(u32::MAX)))).await.ok(202);
    assert_eq!(count(&server).await, 1);
}
