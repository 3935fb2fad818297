//! The event stream that tells a provider when to evaluate again.

use macro_rules_attribute::apply;
use serde_json::json;

use super::alice;
use crate::fixture::{Server, at, on_default_database};

#[apply(on_default_database)]
async fn only_changes_of_the_users_values_are_sent_each_once(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    let response = provider.all(&alice()).await;
    let mut stream = provider.open(&response).await;
    // A new key increases the version, but changes no value.
    server.server_key("production").await;
    server.switch_search_suggestions("production", false).await;
    let event = stream.next_event().await;
    assert_eq!((event.name.as_str(), &event.data["type"]), ("message", &json!("refetchEvaluation")));
    assert_eq!(event.data["etag"].as_str(), event.id.as_deref());
    let version = server.browser("production").load_id("alice").await.known_version().version;
    assert_eq!(event.since().version, version);

    server.clock.set(at("2026-12-02T00:00:00Z"));
    assert_eq!(stream.next_event().await.data["type"], "refetchEvaluation");
}

#[apply(on_default_database)]
async fn a_late_or_returning_client_is_told_about_missed_changes(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    let response = provider.all(&alice()).await;
    server.switch_search_suggestions("production", false).await;
    let event = provider.open(&response).await.next_event().await;
    assert_eq!(event.data["type"], "refetchEvaluation");
    // After this event there is nothing new.
    let address = provider.stream_url(&response);
    let again = provider.get(&address).header("last-event-id", event.id.unwrap());
    let mut stream = crate::fixture::EventStream::open(again).await;
    server.switch_search_suggestions("production", true).await;
    assert_eq!(stream.next_event().await.since().version, event_version(&event.data) + 1);
}

fn event_version(data: &serde_json::Value) -> u64 {
    flagservice_core::Since::parse(data["etag"].as_str().unwrap()).unwrap().version
}

#[apply(on_default_database)]
async fn the_stream_url_does_not_reveal_the_user_and_is_valid_for_its_own_key_only(database: Database) {
    let server = Server::start(&database).await;
    let (production, staging) = (server.provider("production"), server.provider("staging"));
    let context = json!({ "targetingKey": "canary-id-4711", "email": "canary-mail-4711" });
    let address = production.stream_url(&production.all(&context).await);
    for canary in ["canary", "4711", "email"] {
        assert!(!address.contains(canary), "{address}");
    }
    let foreign = address.replace(server.client_key("production"), server.client_key("staging"));
    staging.send(staging.get(&foreign)).await.problem(401, "unauthenticated");
    let forged = format!("{address}x").replace("token=", "token=x");
    production.send(production.get(&forged)).await.problem(401, "unauthenticated");
}

#[apply(on_default_database)]
async fn a_context_too_large_for_a_token_gets_every_change(database: Database) {
    let server = Server::start(&database).await;
    let provider = server.provider("production");
    let context = json!({ "targetingKey": "alice", "long": "x".repeat(8_000) });
    let mut stream = provider.open(&provider.all(&context).await).await;
    server.server_key("production").await;
    assert_eq!(stream.next_event().await.data["type"], "refetchEvaluation");
}
