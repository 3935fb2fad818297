//! What a stream sends when the environment changes: only values that changed for its user.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{
    Server, condition, environment, everyone, features, on_default_database, rule, split, targeting, targeting_of,
};

#[apply(on_default_database)]
async fn a_change_is_sent_only_to_users_whose_variant_changes(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("production"));
    let swede = browser.load(&json!({ "id": "alice", "attributes": { "country": "SE" } })).await;
    let spaniard = browser.load(&json!({ "id": "alice", "attributes": { "country": "ES" } })).await;
    let (mut nordic, mut southern) = (browser.open(&swede).await, browser.open(&spaniard).await);

    // It was on only in the Nordic countries, so nothing changes elsewhere.
    let path = targeting_of("express-delivery", "production");
    administrator.patch(&path, &json!({ "enabled": false })).await.ok(200);
    assert_eq!(nordic.patch().await, json!({ "express-delivery": "off" }));
    server.switch_search_suggestions("production", false).await;
    assert_eq!(nordic.patch().await, json!({ "search-suggestions": "off" }));
    assert_eq!(southern.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn a_rule_change_without_effect_on_variants_is_not_sent(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("production"));
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    // Alice is at 42.767% of loyalty-points: 40% excludes them, 43% includes them.
    let path = targeting_of("loyalty-points", "production");
    administrator.put(&path, &targeting(&[split(40.0, 60.0)])).await.ok(200);
    administrator.put(&path, &targeting(&[split(43.0, 57.0)])).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "loyalty-points": "on" }));
    administrator
        .put(&path, &targeting(&[rule(&[condition("team", "equals", json!(["a"]))]), everyone("on")]))
        .await
        .ok(200);
    administrator.patch(&path, &json!({ "enabled": false })).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "loyalty-points": "off" }));
}

#[apply(on_default_database)]
async fn a_change_in_another_environment_is_not_sent(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    server.switch_search_suggestions("staging", false).await;
    server.switch_search_suggestions("development", false).await;
    server.switch_search_suggestions("production", false).await;
    let event = stream.next_event().await;
    assert_eq!(*event.features(), json!({ "search-suggestions": "off" }));
    assert_eq!(event.id, Some(browser.load_id("alice").await.since));
}

#[apply(on_default_database)]
async fn a_new_feature_is_sent_on_open_streams(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    server.editor().post(&features(""), &json!({ "key": "a-new-one", "name": "New" })).await.ok(201);
    assert_eq!(stream.patch().await, json!({ "a-new-one": "off" }));
    let variants = json!({ "key": "z-new-one", "name": "New", "variants": ["red", "green"], "lifecycle": "Active" });
    server.production_editor().post(&features(""), &variants).await.ok(201);
    // Without a variant `off`, the last variant is the initial off variant.
    assert_eq!(stream.patch().await, json!({ "z-new-one": "green" }));
}

#[apply(on_default_database)]
async fn an_archived_feature_is_removed_and_returns_when_it_is_restored(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("production"));
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    let path = features("/free-shipping-banner");
    administrator.patch(&path, &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "free-shipping-banner": null }));
    administrator.patch(&path, &json!({ "lifecycle": "Active" })).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "free-shipping-banner": "on" }));
    // Drafts are evaluated like active features.
    administrator.patch(&path, &json!({ "lifecycle": "Draft" })).await.ok(200);
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn changes_to_an_archived_feature_apply_when_it_is_restored(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("production"));
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "reviews": null }));
    let path = targeting_of("reviews", "production");
    administrator.put(&path, &targeting(&[everyone("on")])).await.ok(200);
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Active" })).await.ok(200);
    assert_eq!(stream.patch().await, json!({ "reviews": "on" }));
}

#[apply(on_default_database)]
async fn renaming_a_feature_or_a_rule_is_not_sent(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("production"));
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    administrator.patch(&features("/search-suggestions"), &json!({ "name": "Hints" })).await.ok(200);
    let mut renamed = everyone("on");
    renamed["name"] = json!("All of them");
    let path = targeting_of("search-suggestions", "production");
    administrator.put(&path, &targeting(&[renamed])).await.ok(200);
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_default_database)]
async fn versions_increase_within_an_epoch_and_the_last_event_matches_a_load(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let loaded = browser.load_id("alice").await;
    let mut stream = browser.open(&loaded).await;
    let mut known = loaded.known_version();
    for enabled in [false, true, false, true] {
        server.switch_search_suggestions("production", enabled).await;
        let event = stream.next_event().await;
        assert_eq!(event.since().epoch, known.epoch);
        assert_eq!(event.since().version, known.version + 1);
        assert_eq!(event.id, Some(browser.load_id("alice").await.since));
        known = event.since();
    }
    assert_eq!(known.digest, loaded.known_version().digest);
}

#[apply(on_default_database)]
async fn a_new_client_key_does_not_affect_open_streams(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    let path = environment("production", "/client-keys");
    server.administrator().post(&path, &json!({ "name": "Kiosk" })).await.ok(201);
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
}
