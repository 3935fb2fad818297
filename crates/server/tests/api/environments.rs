//! `/api/v1/projects/{projectKey}/environments`.

mod compare;
mod copy;
mod edits;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, environment, features, on_default_database, on_each_database, project, targeting_of,
};

async fn keys(caller: &Caller) -> Vec<Value> {
    let list = caller.get(&project("/environments")).await.ok(200);
    list["items"].as_array().unwrap().iter().map(|environment| environment["key"].clone()).collect()
}

#[apply(on_each_database)]
async fn environments_are_listed_in_order_with_the_production_flag(database: Database) {
    let server = Server::start(&database).await;
    let list = server.read_only().get(&project("/environments")).await.ok(200);
    let shown = |item: &Value| (item["key"].clone(), item["name"].clone(), item["production"].clone());
    let shown: Vec<_> = list["items"].as_array().unwrap().iter().map(shown).collect();
    assert_eq!(
        shown,
        [
            (json!("development"), json!("Development"), json!(false)),
            (json!("staging"), json!("Staging"), json!(false)),
            (json!("production"), json!("Production"), json!(true)),
        ]
    );
}

#[apply(on_default_database)]
async fn a_new_environment_is_last_and_serves_every_feature_off(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let new = json!({ "key": "canary", "name": "Canary" });
    let created = administrator.post(&project("/environments"), &new).await.ok(201);
    assert_eq!((&created["key"], &created["production"]), (&json!("canary"), &json!(false)));
    assert_eq!(keys(&server.read_only()).await, ["development", "staging", "production", "canary"]);

    let key = administrator.post(&environment("canary", "/client-keys"), &json!({ "name": "Web" })).await.ok(201);
    let loaded = server.browser_with(key["key"].as_str().unwrap()).load_id("alice").await;
    assert_eq!(loaded.features.len(), 12);
    assert!(loaded.features.values().all(|variant| variant == "off"), "{:?}", loaded.features);
    let stored = administrator.get(&targeting_of("new-checkout", "canary")).await.ok(200);
    assert_eq!((&stored["enabled"], &stored["offVariantKey"]), (&json!(false), &json!("off")));
}

#[apply(on_default_database)]
async fn a_new_environment_takes_the_off_variant_that_a_feature_has_in_all_other_environments(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for environment in ["development", "staging", "production"] {
        let off_variant = |key: &str| json!({ "offVariantKey": key });
        administrator.patch(&targeting_of("reviews", environment), &off_variant("on")).await.ok(200);
        let differs = off_variant(if environment == "staging" { "on" } else { "off" });
        administrator.patch(&targeting_of("gift-cards", environment), &differs).await.ok(200);
    }
    administrator.post(&project("/environments"), &json!({ "key": "canary", "name": "Canary" })).await.ok(201);
    for (feature, off_variant) in [("reviews", "on"), ("gift-cards", "off"), ("search-suggestions", "off")] {
        let stored = administrator.get(&targeting_of(feature, "canary")).await.ok(200);
        assert_eq!((&stored["enabled"], &stored["offVariantKey"]), (&json!(false), &json!(off_variant)), "{feature}");
        assert_eq!(stored["rules"], json!([]), "{feature}");
    }
}

#[apply(on_default_database)]
async fn a_new_environment_gets_features_that_are_created_later(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let new = json!({ "key": "canary", "name": "Canary", "production": true });
    assert_eq!(administrator.post(&project("/environments"), &new).await.ok(201)["production"], true);
    let key = administrator.post(&environment("canary", "/client-keys"), &json!({ "name": "Web" })).await.ok(201);
    let browser = server.browser_with(key["key"].as_str().unwrap());
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    administrator.post(&features(""), &json!({ "key": "later", "name": "Later" })).await.ok(201);
    assert_eq!(stream.patch().await, json!({ "later": "off" }));
}

#[apply(on_each_database)]
async fn a_duplicate_key_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let again = json!({ "key": "staging", "name": "Another" });
    server.administrator().post(&project("/environments"), &again).await.problem(409, "exists");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn of_two_concurrent_creations_of_an_environment_one_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let (path, first, second) = (project("/environments"), server.administrator(), server.administrator());
    for round in 0..5 {
        let new = json!({ "key": format!("canary-{round}"), "name": "Canary" });
        let (first, second) = tokio::join!(first.post(&path, &new), second.post(&path, &new));
        let (done, refused) = if first.status == 201 { (first, second) } else { (second, first) };
        done.ok(201);
        refused.problem(409, "exists");
    }
}

#[apply(on_default_database)]
async fn the_version_of_an_environment_increases_only_with_its_own_changes(database: Database) {
    let server = Server::start(&database).await;
    let caller = server.read_only();
    let versions = || async {
        let list = caller.get(&project("/environments")).await.ok(200);
        let version = |item: &Value| item["version"].as_u64().unwrap();
        list["items"].as_array().unwrap().iter().map(version).collect::<Vec<_>>()
    };
    let before = versions().await;
    server.switch_search_suggestions("staging", false).await;
    assert_eq!(versions().await, [before[0], before[1] + 1, before[2]]);
    // A new feature changes every environment.
    server.editor().post(&features(""), &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    assert_eq!(versions().await, [before[0] + 1, before[1] + 2, before[2] + 1]);
}
