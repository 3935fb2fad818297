//! `GET /server/v1/stream`: features with changed rules, and the end of the stream.

use std::time::Duration;

use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::ClientLimits;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{
    Server, ServerKey, environment, everyone, features, on_default_database, on_each_database, project, targeting,
    targeting_of,
};

async fn since(key: &ServerKey) -> String {
    key.rules().await.ok(200)["since"].as_str().unwrap().to_owned()
}

fn keys(features: &Value) -> Vec<&str> {
    features.as_array().unwrap().iter().map(|feature| feature["key"].as_str().unwrap()).collect()
}

#[apply(on_default_database)]
async fn all_rules_are_sent_first_unless_the_service_has_the_current_ones(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("production").await;
    let known = since(&key).await;
    let mut current = key.open(&known).await;
    server.switch_search_suggestions("production", false).await;
    let event = current.next_event().await;
    assert_eq!((event.name.as_str(), keys(event.features())), ("patch", vec!["search-suggestions"]));

    let rules = key.rules().await.ok(200);
    for since in [known.as_str(), "", "garbage", "00000000000000aa.1.1"] {
        let mut late = key.open(since).await;
        let event = late.next_event().await;
        assert_eq!(event.name, "put", "{since}");
        assert_eq!(event.data, rules);
        assert_eq!(event.id.as_deref(), rules["since"].as_str());
    }
}

#[apply(on_default_database)]
async fn a_change_is_sent_as_complete_changed_features(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, key) = (server.administrator(), server.server_key("staging").await);
    let mut stream = key.open(&since(&key).await).await;
    administrator.put(&targeting_of("reviews", "staging"), &targeting(&[everyone("on")])).await.ok(200);
    let event = stream.next_event().await;
    let rules = key.rules().await.ok(200);
    let reviews = rules["features"].as_array().unwrap().iter().find(|feature| feature["key"] == "reviews").unwrap();
    assert_eq!(event.name, "patch");
    assert_eq!(event.data, json!({ "features": [reviews], "gone": [] }));
    assert_eq!(event.id.as_deref(), rules["since"].as_str());

    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(stream.next_event().await.data, json!({ "features": [], "gone": ["reviews"] }));
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Draft" })).await.ok(200);
    assert_eq!(stream.next_event().await.data, json!({ "features": [reviews], "gone": [] }));
}

#[apply(on_default_database)]
async fn a_change_without_effect_on_the_rules_is_not_sent(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, key) = (server.administrator(), server.server_key("production").await);
    let mut stream = key.open(&since(&key).await).await;
    // Changes in other environments, of the feature's name, and of keys.
    server.switch_search_suggestions("staging", false).await;
    administrator.patch(&features("/search-suggestions"), &json!({ "name": "Hints" })).await.ok(200);
    server.server_key("production").await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(keys(stream.next_event().await.features()), ["search-suggestions"]);
}

#[apply(on_each_database)]
async fn editing_an_audience_sends_every_feature_that_uses_it(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, key) = (server.administrator(), server.server_key("staging").await);
    let conditions = |country: &str| json!([{ "attribute": "country", "operator": "equals", "values": [country] }]);
    let audience = json!({ "key": "swedes", "name": "Swedes", "conditions": conditions("SE") });
    administrator.post(&project("/audiences"), &audience).await.ok(201);
    for feature in ["gift-cards", "reviews"] {
        let mut rule = everyone("on");
        rule["audienceKey"] = json!("swedes");
        administrator.put(&targeting_of(feature, "staging"), &targeting(&[rule])).await.ok(200);
    }
    let mut stream = key.open(&since(&key).await).await;
    administrator.patch(&project("/audiences/swedes"), &json!({ "conditions": conditions("NO") })).await.ok(200);
    assert_eq!(keys(stream.next_event().await.features()), ["gift-cards", "reviews"]);
}

#[apply(on_default_database)]
async fn a_known_version_from_the_future_makes_the_service_read_again(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("production").await;
    let now = since(&key).await;
    let [epoch, version, digest] = now.split('.').collect::<Vec<_>>()[..] else { panic!("{now}") };
    let future = format!("{epoch}.{}.{digest}", version.parse::<u64>().unwrap() + 1);
    let mut stream = key.open(&future).await;
    stream.expect_empty("reload").await;
    stream.expect_end().await;
}

#[apply(on_default_database)]
async fn revoking_a_server_key_ends_only_its_own_streams(database: Database) {
    let server = Server::start(&database).await;
    let (revoked, other) = (server.server_key("production").await, server.server_key("production").await);
    let browser = server.browser("production");
    let mut of_browser = browser.open(&browser.load_id("alice").await).await;
    let now = since(&revoked).await;
    let (mut of_revoked, mut of_other) = (revoked.open(&now).await, other.open(&now).await);
    server.revoke_server_key("production", &revoked).await;
    of_revoked.expect_empty("reload").await;
    of_revoked.expect_end().await;
    server.switch_search_suggestions("production", false).await;
    assert_eq!(keys(of_other.next_event().await.features()), ["search-suggestions"]);
    assert_eq!(of_browser.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn deleting_an_environment_ends_its_streams(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("development").await;
    let mut stream = key.open(&since(&key).await).await;
    server.administrator().delete(&environment("development", "")).await.ok(204);
    stream.expect_end().await;
}

#[apply(on_default_database)]
async fn a_rules_stream_tells_proxies_not_to_buffer_and_has_no_cors_headers(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("production").await;
    let stream = key.open(&since(&key).await).await;
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    assert_eq!(stream.headers["cache-control"], "no-cache, no-transform");
    assert_eq!(stream.headers["x-accel-buffering"], "no");
    assert_eq!(stream.headers.get("access-control-allow-origin"), None);
}

#[apply(on_default_database)]
async fn a_stopping_node_tells_streams_when_to_reconnect(database: Database) {
    let settings = Settings { leave_for: Duration::from_mins(1), ..Settings::default() };
    let server = Server::start_with(&database, settings).await;
    let key = server.server_key("production").await;
    let now = since(&key).await;
    let mut stream = key.open(&now).await;
    server.app.node.drain.leave(Duration::from_secs(7));
    for stream in [&mut stream, &mut key.open(&now).await] {
        let event = stream.next_event().await;
        assert_eq!(event.name, "reload");
        assert!(event.data["afterMs"].as_u64().unwrap() <= 7_000, "{event:?}");
        stream.expect_end().await;
    }
}

#[apply(on_default_database)]
async fn streams_over_the_limit_of_a_server_key_are_rejected(database: Database) {
    let limits = ClientLimits { streams_per_key: 1, ..ClientLimits::default() };
    let server = Server::start_with(&database, Settings { limits, ..Settings::default() }).await;
    let key = server.server_key("production").await;
    let _first = key.open(&since(&key).await).await;
    let refused = key.send(key.request(Method::GET, "/stream")).await;
    refused.problem(429, "too-many-requests");
    assert!(refused.header("retry-after").is_some());
}
