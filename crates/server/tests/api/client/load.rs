//! `POST /load`: returns all values of a user, and the token for the stream.

mod bodies;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Server, features, on_default_database, split, targeting, targeting_of};

/// What the demo serves to Alice without attributes in production on 21 November 2026. SHA-1 of `1:banner-color:alice` is at
/// 92.337%, in the last third, `plum`; that of `loyalty-points` is at 42.767%, outside its 10%.
fn values_of_alice() -> Value {
    json!({
        "banner-color": "plum",
        "dark-roast-weekend": "off",
        "express-delivery": "off",
        "free-shipping-banner": "on",
        "gift-cards": "off",
        "loyalty-points": "off",
        "new-checkout": "off",
        "recommendations": "off",
        "reviews": "off",
        "search-suggestions": "on",
        "sticky-basket": "off",
        "winter-sale": "off",
    })
}

#[apply(on_default_database)]
async fn a_load_by_text_plain_returns_every_feature_that_is_not_archived(database: Database) {
    let server = Server::start(&database).await;
    let response = server.browser("production").post_load(r#"{"user": {"id": "alice"}}"#).await;
    assert_eq!(response.ok(200)["features"], values_of_alice());
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("cache-control"), Some("no-store"));

    server.administrator().patch(&features("/winter-sale"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    let mut without = values_of_alice();
    without.as_object_mut().unwrap().remove("winter-sale");
    let response = server.browser("production").post_load(r#"{"user": {"id": "alice"}}"#).await;
    assert_eq!(response.ok(200)["features"], without);
}

#[apply(on_default_database)]
async fn application_json_is_accepted_too(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let request = browser.request(Method::POST, "/load").json(&json!({ "user": { "id": "alice" } }));
    assert_eq!(browser.send(request).await.ok(200)["features"], values_of_alice());
}

#[apply(on_default_database)]
async fn values_depend_on_the_users_attributes(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let swede = browser.load(&json!({ "id": "alice", "attributes": { "country": "SE", "plan": "pro" } })).await;
    assert_eq!(swede.features["express-delivery"], "on");
    assert_eq!(swede.features["recommendations"], "on");

    let spaniard = browser.load(&json!({ "id": "alice", "attributes": { "country": "ES", "plan": "pro" } })).await;
    assert_eq!(spaniard.features["express-delivery"], "off");
    assert_eq!(spaniard.features["recommendations"], "on");
}

#[apply(on_default_database)]
async fn a_list_attribute_matches_if_one_of_its_values_matches(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let several = browser.load(&json!({ "id": "alice", "attributes": { "plan": ["free", "team"] } })).await;
    assert_eq!(several.features["recommendations"], "on");
    let none = browser.load(&json!({ "id": "alice", "attributes": { "plan": [] } })).await;
    assert_eq!(none.features["recommendations"], "off");
}

/// `h mod 100 + 1` of `1:f1:alice` is 9 and of `1:f1:bob` 14; Alice's exact position is 8.348%.
#[apply(on_default_database)]
async fn a_split_serves_each_user_the_variant_of_their_bucket(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, browser) = (server.administrator(), server.browser("staging"));
    administrator.post(&features(""), &json!({ "key": "f1", "name": "First" })).await.ok(201);
    for (percentage, alice, bob) in
        [(8.0, "off", "off"), (8.348, "off", "off"), (8.349, "on", "off"), (13.0, "on", "off"), (14.0, "on", "on")]
    {
        let rules = [split(percentage, ((100.0 - percentage) * 1000.0).round() / 1000.0)];
        administrator.put(&targeting_of("f1", "staging"), &targeting(&rules)).await.ok(200);
        assert_eq!(browser.load_id("alice").await.features["f1"], alice, "{percentage}%");
        assert_eq!(browser.load_id("bob").await.features["f1"], bob, "{percentage}%");
    }
}

#[apply(on_default_database)]
async fn a_client_key_reads_only_its_own_environment(database: Database) {
    let server = Server::start(&database).await;
    assert_eq!(server.browser("staging").load_id("alice").await.features["new-checkout"], "on");
    assert_eq!(server.browser("production").load_id("alice").await.features["new-checkout"], "off");
}

#[apply(on_default_database)]
async fn since_contains_epoch_version_and_digest_of_the_values(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let (alice, again) = (browser.load_id("alice").await, browser.load_id("alice").await);
    assert_eq!(alice.since, again.since);
    // Carol has another colour; other attributes of Alice give the same values.
    let carol = browser.load_id("carol").await;
    assert_ne!(carol.features, alice.features);
    assert_eq!(
        (carol.known_version().epoch, carol.known_version().version),
        (alice.known_version().epoch, alice.known_version().version)
    );
    assert_ne!(carol.known_version().digest, alice.known_version().digest);
    let same = browser.load(&json!({ "id": "alice", "attributes": { "country": "ES" } })).await;
    assert_eq!(same.since, alice.since);

    server.switch_search_suggestions("production", false).await;
    let later = browser.load_id("alice").await;
    assert_eq!(later.known_version().epoch, alice.known_version().epoch);
    assert_eq!(later.known_version().version, alice.known_version().version + 1);
    assert_ne!(later.known_version().digest, alice.known_version().digest);
    assert_ne!(server.browser("staging").load_id("alice").await.known_version().epoch, alice.known_version().epoch);
}

#[apply(on_default_database)]
async fn the_stream_token_does_not_reveal_the_user(database: Database) {
    let browser = Server::start(&database).await.browser("production");
    let user = json!({ "id": "canary-id-4711", "attributes": { "email": "canary-mail-4711" } });
    let (first, second) = (browser.load(&user).await.token, browser.load(&user).await.token);
    let bytes = URL_SAFE_NO_PAD.decode(&first).unwrap();
    for canary in ["canary", "4711", "email"] {
        assert!(!first.contains(canary));
        assert!(!bytes.windows(canary.len()).any(|window| window == canary.as_bytes()), "{canary} is in the token");
    }
    // Tokens of the same user look unrelated.
    assert_ne!(first.get(..16), second.get(..16));
}
