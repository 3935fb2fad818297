//! Several nodes that share only a PostgreSQL database.

mod notifications;
mod outage;
mod stuck;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, environment, features, on_postgres, project, targeting_of};

#[apply(on_postgres)]
async fn a_change_on_one_node_reaches_the_streams_of_the_other(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let browser = second.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    first.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    first.editor().post(&features(""), &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    assert_eq!(stream.patch().await, json!({ "new-one": "off" }));
}

#[apply(on_postgres)]
async fn a_stream_token_of_one_node_is_valid_on_the_other(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let loaded = first.browser("production").load_id("alice").await;
    let mut stream = second.browser("production").open(&loaded).await;
    second.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_postgres)]
async fn a_node_that_is_behind_a_client_catches_up_before_it_responds(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let banner = targeting_of("free-shipping-banner", "production");
    for enabled in [false, true, false] {
        first.switch_search_suggestions("production", enabled).await;
        let loaded = first.browser("production").load_id("alice").await;
        // With its old values, this node would send a put that reverts the client.
        let mut stream = second.browser("production").open(&loaded).await;
        second.administrator().patch(&banner, &json!({ "enabled": enabled })).await.ok(200);
        assert_eq!(stream.patch().await, json!({ "free-shipping-banner": if enabled { "on" } else { "off" } }));
    }
}

#[apply(on_postgres)]
async fn writers_on_two_nodes_lose_no_update(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let version = async || {
        let list = first.read_only().get(&project("/environments")).await.ok(200);
        list["items"][1]["version"].as_u64().unwrap()
    };
    let before = version().await;
    let toggle = async |server: &Server, feature: &str| {
        let path = targeting_of(feature, "staging");
        let enabled = server.editor().get(&path).await.ok(200)["enabled"].as_bool().unwrap();
        for round in 0..20 {
            server.editor().patch(&path, &json!({ "enabled": enabled == (round % 2 == 1) })).await.ok(200);
            // Each node sees its own writes at once, regardless of the other.
            let loaded = server.browser("staging").load_id("alice").await;
            assert_eq!(loaded.features[feature] == "on", enabled == (round % 2 == 1), "{feature} {round}");
        }
    };
    tokio::join!(toggle(&first, "new-checkout"), toggle(&second, "free-shipping-banner"));
    assert_eq!(version().await, before + 40);
}

#[apply(on_postgres)]
async fn revoking_a_client_key_on_one_node_ends_its_streams_on_the_other(database: Database) {
    let (first, second) = (Server::start(&database).await, Server::start(&database).await);
    let loaded = second.browser("production").load_id("alice").await;
    let mut open = second.browser("production").open(&loaded).await;
    let keys = environment("production", "/client-keys");
    let id = first.administrator().get(&keys).await.ok(200)["items"][0]["id"].as_str().unwrap().to_owned();
    first.administrator().delete(&format!("{keys}/{id}")).await.ok(204);

    // A client that knows the version of the revocation makes the node read it before opening the stream.
    let list = first.administrator().get(&project("/environments")).await.ok(200);
    let version = |list: &Value| list["items"][2]["version"].as_u64().unwrap();
    let mut point = loaded.known_version();
    point.version = version(&list);
    let mut late = second.browser("production").open_at(&loaded.token, &point.to_string()).await;
    for stream in [&mut late, &mut open] {
        stream.expect_empty("reload").await;
        stream.expect_end().await;
    }
}
