//! `/api/v1/projects/{projectKey}/environments/{environmentKey}/server-keys`.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, environment, on_default_database};

fn server_keys(of: &str) -> String {
    environment(of, "/server-keys")
}

fn client_keys(of: &str) -> String {
    environment(of, "/client-keys")
}

#[apply(on_default_database)]
async fn a_server_key_is_shown_only_when_it_is_created_and_only_its_hash_is_stored(database: Database) {
    let server = Server::start(&database).await;
    let created = server.administrator().post(&server_keys("staging"), &json!({ "name": "Basket" })).await.ok(201);
    let key = created["key"].as_str().unwrap();
    assert!(key.starts_with("srv-") && key.len() >= 4 + 26, "{key}");
    assert_eq!(created["hint"].as_str().unwrap(), &key[key.len() - 4..]);
    let list = server.read_only().get(&server_keys("staging")).await;
    assert!(!list.text.contains(key), "{}", list.text);
    let shown =
        json!({ "id": created["id"], "name": "Basket", "hint": created["hint"], "createdAt": "2026-11-21T10:00:00Z" });
    assert_eq!(list.items(), [shown]);
    let stored = server.stored_rows().await;
    assert!(!stored.contains(key) && !stored.contains(&key[4..]));
}

#[apply(on_default_database)]
async fn a_server_key_is_not_valid_for_client_endpoints_or_the_rest_api(database: Database) {
    let server = Server::start(&database).await;
    let created = server.administrator().post(&server_keys("staging"), &json!({ "name": "Basket" })).await.ok(201);
    let key = created["key"].as_str().unwrap();
    let browser = server.browser_with(key);
    browser.post_load(r#"{"user": {"id": "alice"}}"#).await.problem(404, "unknown-client-key");
    browser.goals(&json!([])).await.problem(404, "unknown-client-key");
    let token = server.browser("staging").load_id("alice").await.token;
    let mut stream = browser.open_path(&format!("/stream?token={token}")).await;
    stream.expect_empty("reload").await;
    stream.expect_end().await;
    for path in ["/api/v1/me", "/api/v1/projects", &server_keys("staging")] {
        server.caller(Some(key)).get(path).await.problem(401, "unauthenticated");
    }
}

#[apply(on_default_database)]
async fn client_keys_and_server_keys_are_managed_separately(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let new = json!({ "name": "Basket" });
    let of_server = administrator.post(&server_keys("staging"), &new).await.ok(201)["id"].clone();
    let of_client = administrator.get(&client_keys("staging")).await.items()[0]["id"].clone();
    for (list, id) in [(server_keys("staging"), &of_server), (client_keys("staging"), &of_client)] {
        assert_eq!(administrator.get(&list).await.column("id"), std::slice::from_ref(id));
    }
    assert_eq!(administrator.get(&server_keys("production")).await.items().len(), 0);

    let before = server.stored_rows().await;
    let crossed = [(server_keys("staging"), &of_client), (client_keys("staging"), &of_server)];
    for (list, id) in crossed {
        administrator.delete(&format!("{list}/{}", id.as_str().unwrap())).await.problem(404, "not-found");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_server_key_is_replaced_while_both_are_valid(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let path = server_keys("production");
    let old = administrator.post(&path, &json!({ "name": "Old" })).await.ok(201)["id"].clone();
    administrator.post(&path, &json!({ "name": "New" })).await.ok(201);
    assert_eq!(administrator.get(&path).await.items().len(), 2);
    let of_old = format!("{path}/{}", old.as_str().unwrap());
    server.production_editor().delete(&of_old).await.problem(403, "forbidden");
    administrator.delete(&of_old).await.ok(204);
    assert_eq!(administrator.get(&path).await.column("name"), ["New"]);
    administrator.delete(&of_old).await.problem(404, "not-found");
}
