//! The features that are on in an environment share a budget of patterns.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::patterns::{PATTERNS, patterns};
use crate::fixture::{Caller, Server, features, on_default_database, project, rule, targeting, targeting_of};

/// How many features fill the budget of an environment, if each has as many patterns as it may.
const FEATURES: usize = 20;

/// A server on which features fill the budget of staging.
async fn full(database: &crate::fixture::Database) -> Server {
    let server = Server::start(database).await;
    let new = (0..FEATURES).map(|number| {
        let rules = targeting(&[rule(&patterns(&format!("f{number}-"), PATTERNS))]);
        (format!("full-{number}"), vec![("staging", rules)])
    });
    server.create_features(new).await;
    server
}

fn is_full(response: &crate::fixture::ApiResponse, pointer: &str) {
    assert_eq!(response.pointers(), [pointer]);
    for word in ["1000 different patterns", "1001", "Switch features off"] {
        assert!(response.text.contains(word), "{word} in {}", response.text);
    }
}

async fn put(caller: &Caller, feature: &str, environment: &str, targeting: &Value) -> crate::fixture::ApiResponse {
    caller.put(&targeting_of(feature, environment), targeting).await
}

#[apply(on_default_database)]
async fn a_feature_that_is_on_needs_room_for_its_patterns_in_its_environment(database: Database) {
    let server = full(&database).await;
    let editor = server.editor();
    let one_more = targeting(&[rule(&patterns("more-", 1))]);
    is_full(&put(&editor, "reviews", "staging", &one_more).await, "/rules");
    // A pattern that the environment has already takes no room, and other environments have their own.
    put(&editor, "reviews", "staging", &targeting(&[rule(&patterns("f7-", PATTERNS))])).await.ok(200);
    put(&editor, "reviews", "development", &one_more).await.ok(200);
    // What is off takes no room, until it is switched on.
    let mut off = one_more.clone();
    off["enabled"] = json!(false);
    put(&editor, "reviews", "staging", &off).await.ok(200);
    is_full(&editor.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": true })).await, "/rules");
    editor.patch(&targeting_of("full-0", "staging"), &json!({ "enabled": false })).await.ok(200);
    editor.patch(&targeting_of("reviews", "staging"), &json!({ "enabled": true })).await.ok(200);
}

#[apply(on_default_database)]
async fn a_copy_a_restored_feature_and_an_audience_need_room_for_their_patterns(database: Database) {
    let server = full(&database).await;
    let editor = server.editor();
    put(&editor, "reviews", "development", &targeting(&[rule(&patterns("more-", 1))])).await.ok(200);
    let request = json!({
        "source": "development", "target": "staging", "featureKeys": ["reviews"],
        "settings": { "enabled": true, "rules": true },
    });
    let results = editor.post(&project("/environments/copy"), &request).await.ok(200)["results"].clone();
    assert_eq!(results[0]["reason"]["code"], "invalid", "{results}");

    let audience = json!({ "key": "many", "name": "Many", "conditions": patterns("f3-", 1) });
    editor.post(&project("/audiences"), &audience).await.ok(201);
    let using = json!({ "audienceKey": "many", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    put(&editor, "reviews", "staging", &targeting(&[using])).await.ok(200);
    let edited = editor.patch(&project("/audiences/many"), &json!({ "conditions": patterns("more-", 1) })).await;
    is_full(&edited, "/conditions");
    assert!(edited.text.contains("'staging'"), "{}", edited.text);

    let archive = |lifecycle: &str| json!({ "lifecycle": lifecycle });
    let manager = server.production_editor();
    manager.patch(&features("/full-0"), &archive("Archived")).await.ok(200);
    put(&editor, "gift-cards", "staging", &targeting(&[rule(&patterns("more-", 1))])).await.ok(200);
    is_full(&manager.patch(&features("/full-0"), &archive("Active")).await, "/rules");
}
