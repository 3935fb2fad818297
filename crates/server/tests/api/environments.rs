//! `/api/v1/projects/{projectKey}/environments`.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, environment, features, on_each_database, project, targeting_of};

async fn keys(caller: &Caller) -> Vec<Value> {
    let list = caller.get(&project("/environments")).await.ok(200);
    list["items"].as_array().unwrap().iter().map(|environment| environment["key"].clone()).collect()
}

#[apply(on_each_database)]
async fn environments_are_listed_in_their_order_with_the_production_mark(database: Database) {
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

#[apply(on_each_database)]
async fn a_new_environment_stands_last_and_has_every_feature_switched_off(database: Database) {
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

#[apply(on_each_database)]
async fn a_new_environment_follows_the_features_that_are_made_after_it(database: Database) {
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
async fn a_key_that_is_taken_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored().await;
    let again = json!({ "key": "staging", "name": "Another" });
    server.administrator().post(&project("/environments"), &again).await.problem(409, "exists");
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn of_two_who_create_one_environment_at_once_one_is_told_of_the_other(database: Database) {
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

#[apply(on_each_database)]
async fn the_version_of_an_environment_rises_with_each_change_of_it_alone(database: Database) {
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
    // Every environment gets a new feature.
    server.editor().post(&features(""), &json!({ "key": "new-one", "name": "New" })).await.ok(201);
    assert_eq!(versions().await, [before[0] + 1, before[1] + 2, before[2] + 1]);
}

#[apply(on_each_database)]
async fn an_administrator_changes_an_environment_field_by_field(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let mut expected = server.read_only().get(&path).await.ok(200);
    for (field, value) in [
        ("name", json!("Rehearsal")),
        ("production", json!(true)),
        ("approvalRequired", json!(true)),
        ("allowedOrigins", json!(["https://shop.example", "http://localhost:3000", "null"])),
    ] {
        let changed = administrator.patch(&path, &json!({ field: value })).await.ok(200);
        expected[field] = value;
        // Clients may have to learn of it, so that its version rises.
        assert!(changed["version"].as_u64() > expected["version"].as_u64(), "{field}: {changed}");
        expected["version"] = changed["version"].clone();
        assert_eq!(changed, expected);
        assert_eq!(server.read_only().get(&path).await.ok(200), expected);
    }
    let before = server.stored().await;
    server.production_editor().patch(&path, &json!({ "production": false })).await.problem(403, "forbidden");
    administrator.patch(&path, &json!({ "production": true })).await.ok(200);
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn the_production_mark_decides_at_once_who_may_change_targeting(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let edit = |enabled: bool| json!({ "enabled": enabled });
    administrator.patch(&path, &json!({ "production": true })).await.ok(200);
    let targeting = targeting_of("reviews", "staging");
    server.editor().patch(&targeting, &edit(false)).await.problem(403, "forbidden");
    administrator.patch(&path, &json!({ "production": false })).await.ok(200);
    server.editor().patch(&targeting, &edit(false)).await.ok(200);
}

#[apply(on_each_database)]
async fn the_second_to_change_an_environment_with_an_old_etag_is_told_both_versions(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("staging", ""));
    let seen = administrator.get(&path).await.etag();
    // A change of targeting is no change of the environment's own record.
    server.switch_search_suggestions("staging", false).await;
    let first = administrator.patch_if(&path, &seen, &json!({ "name": "First" })).await;
    first.ok(200);
    let before = server.stored().await;
    administrator.patch_if(&path, &seen, &json!({ "name": "Second" })).await.stale(&seen, &first.etag());
    server.assert_stores_only(&before).await;
    administrator.patch(&path, &json!({ "name": "Second" })).await.ok(200);
}

#[apply(on_each_database)]
async fn an_origin_that_no_browser_sends_is_refused_with_its_place(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let before = server.stored().await;
    for origin in
        ["shop.example", "https://shop.example/", "https://shop.example/a", "https://", "*", "https://*.example", "", "ftp://a"]
    {
        let origins = json!(["https://shop.example", origin]);
        let edit = json!({ "allowedOrigins": origins });
        let refused = administrator.patch(&environment("staging", ""), &edit).await;
        assert_eq!(refused.pointers(), ["/allowedOrigins/1"], "{origin}");
        let new = json!({ "key": "canary", "name": "Canary", "allowedOrigins": origins });
        let refused = administrator.post(&project("/environments"), &new).await;
        assert_eq!(refused.pointers(), ["/allowedOrigins/1"], "{origin}");
    }
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn a_production_environment_is_not_deleted_until_its_mark_is_taken_away(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, path) = (server.administrator(), environment("production", ""));
    let before = server.stored().await;
    let refused = administrator.delete(&path).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("production"), "{refused}");
    server.assert_stores_only(&before).await;
    administrator.patch(&path, &json!({ "production": false })).await.ok(200);
    server.production_editor().delete(&path).await.problem(403, "forbidden");
    administrator.delete(&path).await.ok(204);
    assert_eq!(keys(&server.read_only()).await, ["development", "staging"]);
}

#[apply(on_each_database)]
async fn deleting_an_environment_ends_its_streams_and_its_client_keys_and_no_other(database: Database) {
    let server = Server::start(&database).await;
    let (staging, development) = (server.browser("staging"), server.browser("development"));
    let loaded = staging.load_id("alice").await;
    let mut streams = [staging.open(&loaded).await, staging.open(&loaded).await];
    let mut other = development.open(&development.load_id("alice").await).await;
    staging.goals(&json!([{ "id": "goal-0001", "key": "purchase", "userId": "alice" }])).await.ok(202);

    server.administrator().delete(&environment("staging", "")).await.ok(204);
    staging.post_load(r#"{"user": {"id": "alice"}}"#).await.problem(404, "unknown-client-key");
    staging.goals(&json!([])).await.problem(404, "unknown-client-key");
    for stream in &mut streams {
        stream.end().await;
    }
    // Who comes back with the token is told to load again.
    let mut again = staging.open(&loaded).await;
    again.bare("reload").await;
    again.end().await;

    server.read_only().get(&environment("staging", "")).await.problem(404, "not-found");
    server.read_only().get(&targeting_of("reviews", "staging")).await.problem(404, "not-found");
    // An audience limited to it goes with it.
    let audiences = server.read_only().get(&project("/audiences")).await.column("key");
    assert_eq!(audiences, ["nordics", "paying-customers", "staff"]);
    server.switch_search_suggestions("development", false).await;
    assert_eq!(other.patch().await, json!({ "search-suggestions": "off" }));
}

#[apply(on_each_database)]
async fn an_environment_that_a_pipeline_passes_is_not_deleted_and_the_answer_names_it(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let phases = json!([{ "name": "Try", "environmentKey": "staging" }]);
    let pipeline = json!({ "key": "release", "name": "Release", "phases": phases });
    administrator.post(&project("/pipelines"), &pipeline).await.ok(201);
    let before = server.stored().await;
    let refused = administrator.delete(&environment("staging", "")).await.problem(409, "in-use");
    assert!(refused["detail"].as_str().unwrap().contains("'release'"), "{refused}");
    server.assert_stores_only(&before).await;
}

#[apply(on_each_database)]
async fn another_organisations_environments_are_not_found(database: Database) {
    let server = Server::start(&database).await;
    let (stranger, path) = (server.stranger().await, environment("staging", ""));
    let before = server.stored().await;
    stranger.get(&path).await.problem(404, "not-found");
    stranger.patch(&path, &json!({ "name": "Mine" })).await.problem(404, "not-found");
    stranger.delete(&path).await.problem(404, "not-found");
    server.assert_stores_only(&before).await;
}
