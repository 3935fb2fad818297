//! `/server/v1`: rules for services that evaluate locally, as described in docs/protocol.md.

mod goals;
mod stream;

use flagservice_core::Since;
use flagservice_rules::{CompiledRuleset, Instant, Ruleset, User};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    NOW, Server, ServerKey, environment, everyone, features, on_default_database, on_each_database, project, targeting,
    targeting_of,
};

/// The rules, and their ETag.
async fn read(key: &ServerKey) -> (Ruleset, String) {
    let body = key.rules().await.ok(200);
    let since = body["since"].as_str().unwrap().to_owned();
    (serde_json::from_value(body).unwrap(), since)
}

fn evaluated(rules: &Ruleset, user: &Value, now: Instant) -> Value {
    let user: User = serde_json::from_value(user.clone()).unwrap();
    let compiled = CompiledRuleset::compile(rules);
    let variants =
        compiled.evaluate(&user, now).map(|evaluation| (evaluation.key.to_string(), json!(evaluation.variant)));
    Value::Object(variants.collect())
}

fn feature<'a>(rules: &'a Value, key: &str) -> Option<&'a Value> {
    rules["features"].as_array().unwrap().iter().find(|feature| feature["key"] == key)
}

#[apply(on_default_database)]
async fn evaluating_the_rules_gives_every_user_the_same_variants_as_the_server(database: Database) {
    let server = Server::start(&database).await;
    for environment in ["development", "staging", "production"] {
        let (rules, _) = read(&server.server_key(environment).await).await;
        let browser = server.browser(environment);
        for country in ["SE", "ES", "DE"] {
            for number in 0..20 {
                let attributes = json!({ "country": country, "plan": if number % 2 == 0 { "pro" } else { "free" } });
                let user = json!({ "id": format!("user-{number}"), "attributes": attributes });
                let loaded = browser.load(&user).await;
                assert_eq!(evaluated(&rules, &user, NOW), json!(loaded.features), "{environment}: {user}");
            }
        }
    }
}

#[apply(on_default_database)]
async fn rules_contain_salt_and_targeting_of_each_feature_but_no_archived_features(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, key) = (server.administrator(), server.server_key("staging").await);
    administrator.post(&features(""), &json!({ "key": "f1", "name": "First" })).await.ok(201);
    administrator.put(&targeting_of("f1", "staging"), &targeting(&[everyone("on")])).await.ok(200);
    let rules = key.rules().await.ok(200);
    let expected = json!({ "key": "f1", "salt": "1", "targeting": targeting(&[json!({
        "name": "Everybody", "conditions": [], "splits": [{ "variantKey": "on", "percentage": 100 }],
    })]) });
    assert_eq!(*feature(&rules, "f1").unwrap(), expected);

    administrator.patch(&features("/f1"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(feature(&key.rules().await.ok(200), "f1"), None);
}

#[apply(on_default_database)]
async fn the_conditions_of_saved_audiences_are_inlined(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, key) = (server.administrator(), server.server_key("staging").await);
    let swedes = json!([{ "attribute": "country", "operator": "equals", "values": ["SE"] }]);
    let audience = json!({ "key": "swedes", "name": "Swedes", "conditions": swedes });
    administrator.post(&project("/audiences"), &audience).await.ok(201);
    let mut rule = everyone("on");
    rule["audienceKey"] = json!("swedes");
    administrator.put(&targeting_of("reviews", "staging"), &targeting(&[rule])).await.ok(200);
    let rules = key.rules().await.ok(200);
    let written = &feature(&rules, "reviews").unwrap()["targeting"]["rules"][0];
    assert_eq!(written["conditions"], swedes);
    assert_eq!(written.get("audienceKey"), None);

    let norwegians = json!([{ "attribute": "country", "operator": "equals", "values": ["NO"] }]);
    let changed = json!({ "conditions": norwegians });
    administrator.patch(&project("/audiences/swedes"), &changed).await.ok(200);
    let rules = key.rules().await.ok(200);
    assert_eq!(feature(&rules, "reviews").unwrap()["targeting"]["rules"][0]["conditions"], norwegians);
}

#[apply(on_default_database)]
async fn a_client_with_current_rules_gets_304_and_any_other_gets_the_rules(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("production").await;
    let response = key.rules().await;
    let etag = response.etag();
    assert_eq!(etag, format!("\"{}\"", response.ok(200)["since"].as_str().unwrap()));
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("cache-control"), Some("private, no-cache"));
    assert_eq!(response.header("access-control-allow-origin"), None);

    for known in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}")] {
        let unchanged = key.rules_if_none_match(&known).await;
        assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""), "{known}");
        assert_eq!(unchanged.etag(), etag);
    }
    // Adding a key makes a new version with the same rules.
    server.server_key("production").await;
    let unchanged = key.rules_if_none_match(&etag).await;
    assert_eq!(unchanged.status, 304);
    let point = |etag: &str| Since::parse(etag.trim_matches('"')).unwrap();
    assert_eq!(point(&unchanged.etag()).version, point(&etag).version + 1);

    server.switch_search_suggestions("production", false).await;
    let changed = key.rules_if_none_match(&etag).await;
    assert_eq!(changed.ok(200)["features"], key.rules().await.ok(200)["features"]);
    assert_ne!(changed.etag(), etag);
}

#[apply(on_default_database)]
async fn large_rules_are_compressed_if_the_client_accepts_it(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("production").await;
    for number in 0..40 {
        let feature = json!({ "key": format!("feature-{number}"), "name": "One of many" });
        server.editor().post(&features(""), &feature).await.ok(201);
    }
    let rules_request = || key.request(reqwest::Method::GET, "/rules");
    let plain = rules_request().send().await.unwrap();
    assert_eq!(plain.headers().get("content-encoding"), None);
    let plain = plain.bytes().await.unwrap();
    assert!(plain.len() > 4096, "{}", plain.len());
    let zipped = rules_request().header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!(zipped.headers()["content-encoding"], "gzip");
    assert!(zipped.bytes().await.unwrap().len() < plain.len() / 2);
}

#[apply(on_default_database)]
async fn a_server_key_reads_only_the_rules_of_its_own_environment(database: Database) {
    let server = Server::start(&database).await;
    let (staging, production) = (server.server_key("staging").await, server.server_key("production").await);
    server.administrator().put(&targeting_of("reviews", "staging"), &targeting(&[everyone("on")])).await.ok(200);
    let enabled = |rules: &Value| feature(rules, "reviews").unwrap()["targeting"]["enabled"].clone();
    assert_eq!(enabled(&staging.rules().await.ok(200)), json!(true));
    let in_production = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200);
    assert_eq!(enabled(&production.rules().await.ok(200)), in_production["enabled"]);
}

#[apply(on_each_database)]
async fn a_server_key_that_is_revoked_or_of_a_deleted_environment_cannot_read_rules(database: Database) {
    let server = Server::start(&database).await;
    let (revoked, of_deleted) = (server.server_key("staging").await, server.server_key("development").await);
    revoked.rules().await.ok(200);
    server.revoke_server_key("staging", &revoked).await;
    server.administrator().delete(&environment("development", "")).await.ok(204);
    for key in [revoked, of_deleted] {
        key.rules().await.problem(401, "unauthenticated");
        key.goals(&json!([])).await.problem(401, "unauthenticated");
        key.send(key.request(reqwest::Method::GET, "/stream")).await.problem(401, "unauthenticated");
    }
}
