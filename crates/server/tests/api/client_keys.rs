//! `/api/v1/projects/{projectKey}/environments/{environmentKey}/client-keys`.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, environment, on_default_database, on_each_database};

fn keys(of: &str) -> String {
    environment(of, "/client-keys")
}

#[apply(on_default_database)]
async fn a_client_key_is_shown_only_when_it_is_created(database: Database) {
    let server = Server::start(&database).await;
    let created = server.administrator().post(&keys("staging"), &json!({ "name": "Kiosk" })).await.ok(201);
    let key = created["key"].as_str().unwrap();
    assert_eq!(created["name"], "Kiosk");
    assert!(key.ends_with(created["hint"].as_str().unwrap()), "{created}");
    assert_eq!(server.browser_with(key).load_id("alice").await.features["new-checkout"], "on");

    let list = server.read_only().get(&keys("staging")).await;
    assert!(!list.text.contains(key));
    let list = list.ok(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    let mut listed = list["items"].as_array().unwrap().iter().find(|key| key["name"] == "Kiosk").unwrap().clone();
    // The load is noted in the background.
    listed.as_object_mut().unwrap().remove("lastUsedAt");
    let at = "2026-11-21T10:00:00Z";
    assert_eq!(listed, json!({ "id": created["id"], "name": "Kiosk", "hint": created["hint"], "createdAt": at }));
}

#[apply(on_default_database)]
async fn a_revoked_key_is_not_listed_and_cannot_be_revoked_again(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let created = administrator.post(&keys("staging"), &json!({ "name": "Kiosk" })).await.ok(201);
    let path = format!("{}/{}", keys("staging"), created["id"].as_str().unwrap());
    // It is not found under another environment.
    let elsewhere = format!("{}/{}", keys("production"), created["id"].as_str().unwrap());
    administrator.delete(&elsewhere).await.problem(404, "not-found");

    administrator.delete(&path).await.ok(204);
    let list = administrator.get(&keys("staging")).await.ok(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    let before = server.stored_rows().await;
    administrator.delete(&path).await.problem(404, "not-found");
    administrator.delete(&format!("{}/none", keys("staging"))).await.problem(404, "not-found");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_client_key_and_a_token_are_not_interchangeable(database: Database) {
    let server = Server::start(&database).await;
    let key = &database.credentials().client_keys["production"];
    server.caller(Some(key)).get("/api/v1/projects").await.problem(401, "unauthenticated");
    let token = server.token(flagservice_server::domain::role::Role::Administrator, None).await;
    let load = server.browser_with(&token).post_load(r#"{"user": {"id": "alice"}}"#).await;
    load.problem(404, "unknown-client-key");
}

#[apply(on_each_database)]
async fn two_keys_are_valid_at_once_so_that_a_key_can_be_replaced_without_an_outage(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let (old, other) = (server.browser("staging"), server.browser("production"));
    let of_old = administrator.get(&keys("staging")).await.items()[0]["id"].clone();
    let created = administrator.post(&keys("staging"), &json!({ "name": "New" })).await.ok(201);
    let new = server.browser_with(created["key"].as_str().unwrap());
    let values = old.load_id("alice").await.features;
    assert_eq!(new.load_id("alice").await.features, values);
    let mut stream = new.open(&new.load_id("alice").await).await;

    let path = format!("{}/{}", keys("staging"), of_old.as_str().unwrap());
    administrator.delete(&path).await.ok(204);
    old.post_load(r#"{"user": {"id": "alice"}}"#).await.problem(404, "unknown-client-key");
    assert_eq!(new.load_id("alice").await.features, values);
    server.switch_search_suggestions("staging", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    other.load_id("alice").await;
}

#[apply(on_default_database)]
async fn only_administrators_can_create_and_revoke_keys(database: Database) {
    let server = Server::start(&database).await;
    let id = server.read_only().get(&keys("staging")).await.items()[0]["id"].clone();
    let path = format!("{}/{}", keys("staging"), id.as_str().unwrap());
    let before = server.stored_rows().await;
    let refused = server.production_editor().post(&keys("staging"), &json!({ "name": "Kiosk" })).await;
    refused.problem(403, "forbidden");
    server.production_editor().delete(&path).await.problem(403, "forbidden");
    let outsider = server.outsider().await;
    outsider.delete(&path).await.problem(404, "not-found");
    outsider.post(&keys("staging"), &json!({ "name": "Kiosk" })).await.problem(404, "not-found");
    assert_eq!(server.stored_rows().await.count("sdk_keys"), before.count("sdk_keys"));
    server.browser("staging").load_id("alice").await;
}
