//! `/ofrep/v1`: the OpenFeature Remote Evaluation Protocol (0.3), as described in docs/protocol.md.

mod changes;
mod errors;
mod etag;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Server, condition, everyone, features, on_default_database, on_each_database, rule, split, targeting, targeting_of,
};

fn alice() -> Value {
    json!({ "targetingKey": "alice" })
}

#[apply(on_default_database)]
async fn a_feature_with_on_and_off_is_a_boolean_and_any_other_is_a_string(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, provider) = (server.administrator(), server.provider("staging"));
    administrator.post(&features(""), &json!({ "key": "f1", "name": "First" })).await.ok(201);
    let colours = json!({ "key": "f2", "name": "Second", "variants": ["off", "teal"] });
    administrator.post(&features(""), &colours).await.ok(201);
    for (feature, variant, value) in [
        ("f1", "on", json!(true)),
        ("f1", "off", json!(false)),
        ("f2", "teal", json!("teal")),
        ("f2", "off", json!("off")),
    ] {
        administrator.put(&targeting_of(feature, "staging"), &targeting(&[everyone(variant)])).await.ok(200);
        let evaluation = provider.one(feature, &alice()).await;
        assert_eq!(evaluation, json!({ "key": feature, "value": value, "variant": variant, "reason": "STATIC" }));
    }
}

/// `h mod 100 + 1` of `1:f1:alice` is 9.
#[apply(on_default_database)]
async fn the_reason_says_what_decided(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, provider) = (server.administrator(), server.provider("staging"));
    administrator.post(&features(""), &json!({ "key": "f1", "name": "First" })).await.ok(201);
    let swedes = rule(&[condition("country", "equals", json!(["SE"]))]);
    let off = json!({ "enabled": false, "offVariantKey": "off", "rules": [everyone("on")] });
    let only_swedes = targeting(std::slice::from_ref(&swedes));
    let swede = json!({ "targetingKey": "alice", "country": "SE" });
    for (written, context, reason, variant) in [
        (off, alice(), "DISABLED", "off"),
        (targeting(&[]), alice(), "STATIC", "off"),
        (targeting(&[everyone("on")]), alice(), "STATIC", "on"),
        (only_swedes.clone(), swede, "TARGETING_MATCH", "on"),
        (only_swedes, alice(), "UNKNOWN", "off"),
        (targeting(&[swedes.clone(), everyone("off")]), alice(), "TARGETING_MATCH", "off"),
        (targeting(&[split(9.0, 91.0)]), alice(), "SPLIT", "on"),
        (targeting(&[swedes, split(8.0, 92.0)]), alice(), "SPLIT", "off"),
    ] {
        administrator.put(&targeting_of("f1", "staging"), &written).await.ok(200);
        let evaluation = provider.one("f1", &context).await;
        assert_eq!((&evaluation["reason"], &evaluation["variant"]), (&json!(reason), &json!(variant)), "{written}");
    }
}

#[apply(on_default_database)]
async fn a_bulk_evaluation_returns_the_variants_of_a_load_for_the_context(database: Database) {
    let server = Server::start(&database).await;
    let (browser, provider) = (server.browser("production"), server.provider("production"));
    let context = json!({ "targetingKey": "alice", "country": "SE", "plan": ["free", "pro"], "nested": { "odd": 1 } });
    let user = json!({ "id": "alice", "attributes": { "country": "SE", "plan": ["free", "pro"] } });
    let response = provider.all(&context).await;
    let body = response.ok(200);
    let flags = body["flags"].as_array().unwrap();
    let variants: serde_json::Map<_, _> =
        flags.iter().map(|flag| (flag["key"].as_str().unwrap().to_owned(), flag["variant"].clone())).collect();
    assert_eq!(json!(variants), json!(browser.load(&user).await.features));
    assert_eq!(variants["express-delivery"], "on");
    for flag in flags {
        assert_eq!(*flag, provider.one(flag["key"].as_str().unwrap(), &context).await);
    }
    assert_eq!(body["metadata"], json!({ "version": browser.load(&user).await.known_version().version }));
    assert_eq!(body["eventStreams"][0]["inactivityDelaySec"], 15);
}

#[apply(on_default_database)]
async fn a_server_key_can_evaluate_and_its_stream_url_does_not_contain_it(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("production").await;
    let provider = server.provider_with(&key.text);
    assert_eq!(provider.one("search-suggestions", &alice()).await["value"], true);
    let body = provider.all(&alice()).await.ok(200);
    assert_eq!(body.get("eventStreams"), None);
    server.revoke_server_key("production", &key).await;
    provider.all(&alice()).await.problem(401, "unauthenticated");
}

#[apply(on_each_database)]
async fn changed_variants_change_the_type_at_once(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, provider) = (server.administrator(), server.provider("production"));
    let context = alice();
    let before = provider.all(&context).await;
    let mut stream = provider.open(&before).await;
    let variants = json!({ "variants": ["on", "off", "later"] });
    administrator.patch(&features("/search-suggestions"), &variants).await.ok(200);
    assert_eq!(stream.next_event().await.data["type"], "refetchEvaluation");
    assert_eq!(provider.one("search-suggestions", &context).await["value"], "on");
    let after = provider.all_if_none_match(&context, &before.etag()).await;
    assert_eq!(after.status, 200);
    assert_eq!(server.browser("production").load_id("alice").await.features["search-suggestions"], "on");
}
