//! What an edge key gives access to, and what happens when a key is revoked.

use flagservice_server::domain::edge_key::EdgeKey;
use flagservice_server::domain::ids::EdgeKeyId;
use flagservice_server::random::SystemRandom;
use flagservice_server::secret;
use flagservice_server::store::resources::{edge_keys, organisations, projects};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    ApiResponse, Browser, Edge, NOW, Server, edge_key, environment, eventually, http_client, on_default_database,
    on_each_database, project,
};

const LOAD: &str = r#"{"user":{"id":"ada"}}"#;

/// Waits until an edge answers that it does not know a client key. While it is out of touch with its upstream, which a busy machine can
/// cause, it says that it is not ready.
async fn expect_unknown(browser: &Browser) {
    let is_unknown = async || {
        let response = browser.post_load(LOAD).await;
        if response.status == 503 {
            response.problem(503, "not-ready");
            return false;
        }
        response.problem(404, "unknown-client-key");
        true
    };
    eventually("the client key is unknown", is_unknown).await;
}

#[apply(on_default_database)]
async fn an_edge_with_a_key_for_one_environment_serves_no_other(database: Database) {
    let server = Server::start(&database).await;
    let key = edge_key(&server, &["staging"]).await["key"].as_str().unwrap().to_owned();
    let edge = Edge::start(&format!("http://{}", server.socket_address()), &key, &server.clock).await.ready().await;
    edge.browser(server.client_key("staging")).post_load(LOAD).await.ok(200);
    expect_unknown(&edge.browser(server.client_key("production"))).await;
}

#[apply(on_default_database)]
async fn a_revoked_client_key_is_refused_by_an_edge_and_its_streams_end(database: Database) {
    let server = Server::start(&database).await;
    let edge = Edge::of(&server).await;
    let browser = edge.browser(server.client_key("staging"));
    let mut stream = browser.open(&browser.load_id("ada").await).await;
    let keys = server.administrator().get(&environment("staging", "/client-keys")).await.ok(200);
    let id = keys["items"][0]["id"].as_str().unwrap().to_owned();
    server.administrator().delete(&environment("staging", &format!("/client-keys/{id}"))).await.ok(204);
    stream.expect_empty("reload").await;
    expect_unknown(&browser).await;
}

#[apply(on_default_database)]
async fn an_edge_whose_key_is_revoked_serves_nothing_and_removes_its_files(database: Database) {
    let server = Server::start(&database).await;
    let created = edge_key(&server, &[]).await;
    let key = created["key"].as_str().unwrap();
    let edge = Edge::start(&format!("http://{}", server.socket_address()), key, &server.clock).await.ready().await;
    let path = project(&format!("/edge-keys/{}", created["id"].as_str().unwrap()));
    server.administrator().delete(&path).await.ok(204);
    eventually("the edge has no environment", async || edge.service.serving.snapshots.environments().is_empty()).await;
    assert!([404, 503].contains(&edge.browser(server.client_key("staging")).post_load(LOAD).await.status));
    let bundles =
        async || edge.files("bundles").iter().all(|file| file.extension().is_none_or(|ending| ending != "bundle"));
    eventually("the files are removed", bundles).await;
    // It may be ready until it has read the answer of its upstream.
    let says_why = async || {
        let ready = edge.get("/health/ready?accept=degraded").await;
        ready.status == 503
            && ready.problem(503, "degraded")["detail"].to_string().contains("does not know the edge key")
    };
    eventually("its health says why", says_why).await;
}

#[apply(on_default_database)]
async fn following_needs_an_edge_key_and_a_bundle_has_no_secret(database: Database) {
    let server = Server::start(&database).await;
    let follow = |key: String| {
        http_client()
            .post(format!("http://{}/edge/v1/follow", server.socket_address()))
            .bearer_auth(key)
            .json(&Value::Object(serde_json::Map::new()))
    };
    for key in ["", "edge-unknown", server.client_key("staging")] {
        ApiResponse::fetch(follow(key.to_owned())).await.problem(401, "unauthenticated");
    }
    let service = server.server_key("production").await;
    let key = edge_key(&server, &[]).await["key"].as_str().unwrap().to_owned();
    let mut events = crate::fixture::EventStream::open(follow(key.clone())).await;
    let mut text = String::new();
    loop {
        let event = events.next_event().await;
        text.push_str(&event.unpacked());
        if event.name == "current" {
            break;
        }
    }
    for secret in [key.as_str(), &service.text, server.client_key("production")] {
        assert!(!text.contains(secret));
    }
    assert!(text.contains("search-suggestions"));
}

#[apply(on_default_database)]
async fn an_edge_whose_key_was_revoked_while_it_was_away_serves_nothing_once_it_connects(database: Database) {
    let server = Server::start(&database).await;
    let created = edge_key(&server, &[]).await;
    let (upstream, key) = (format!("http://{}", server.socket_address()), created["key"].as_str().unwrap());
    let edge = Edge::start(&upstream, key, &server.clock).await.ready().await;
    let edge = edge.restart("http://127.0.0.1:9").await;
    edge.browser(server.client_key("staging")).post_load(LOAD).await.ok(200);
    let path = project(&format!("/edge-keys/{}", created["id"].as_str().unwrap()));
    server.administrator().delete(&path).await.ok(204);
    let edge = edge.restart(&upstream).await;
    eventually("the edge has no environment", async || edge.service.serving.snapshots.environments().is_empty()).await;
}

/// What a server answers to an edge with this key.
async fn response_to(server: &Server, key: &str) -> ApiResponse {
    let address = format!("http://{}/edge/v1/follow", server.socket_address());
    ApiResponse::fetch(http_client().post(address).bearer_auth(key).json(&json!({}))).await
}

/// An edge whose key is unknown removes its files.
#[apply(on_each_database)]
async fn a_key_that_is_newer_than_what_the_server_has_read_is_not_unknown(database: Database) {
    let server = Server::start(&database).await;
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let organisation = organisations::list(connection).await.unwrap().remove(0).0;
    let project = projects::list(connection, &organisation, "", 1).await.unwrap().remove(0);
    let key = |text: &str, environments| EdgeKey {
        id: EdgeKeyId::new(&SystemRandom, NOW),
        project_id: project.id.clone(),
        name: "Frankfurt".to_owned(),
        hash: secret::hash(text),
        hint: String::new(),
        environments,
        created_at: NOW,
        last_used_at: None,
    };
    // As another process stores them. No version is raised, so that the server does not learn of them during the test.
    let (project_key, empty_key) = (key("edge-project", None), key("edge-empty", Some(Vec::new())));
    for key in [&project_key, &empty_key] {
        edge_keys::insert(connection, key).await.unwrap();
    }
    write.commit().await.unwrap();
    response_to(&server, "edge-project").await.problem(503, "not-ready");
    response_to(&server, "edge-empty").await.problem(401, "unauthenticated");
    response_to(&server, "edge-unknown").await.problem(401, "unauthenticated");

    let mut write = server.app.store.write().await.unwrap();
    edge_keys::revoke(write.connection().await.unwrap(), &project_key.id, NOW).await.unwrap();
    write.commit().await.unwrap();
    response_to(&server, "edge-project").await.problem(401, "unauthenticated");
}
