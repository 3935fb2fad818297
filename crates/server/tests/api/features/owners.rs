//! The owner of a feature: the person who looks after it.

use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Caller, Server, environment, features, on_default_database, on_each_database};

async fn person(caller: &Caller) -> Value {
    let me = caller.get("/api/v1/me").await.ok(200);
    json!({ "id": me["id"], "name": me["name"] })
}

async fn owner(server: &Server, feature: &str) -> Value {
    server.read_only().get(&features(&format!("/{feature}"))).await.ok(200)["owner"].clone()
}

#[apply(on_default_database)]
async fn a_feature_can_have_an_owner_who_is_named_in_the_list_and_in_the_audit_log(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let (edda, ravi) = (person(&editor).await, person(&server.read_only()).await);
    let new = json!({ "key": "new-one", "name": "New one", "ownerId": edda["id"] });
    assert_eq!(editor.post(&features(""), &new).await.ok(201)["owner"], edda);
    editor.patch(&features("/new-one"), &json!({ "name": "Newer one" })).await.ok(200);
    assert_eq!(owner(&server, "new-one").await, edda);
    let changed = editor.patch(&features("/new-one"), &json!({ "ownerId": ravi["id"] })).await;
    assert_eq!(changed.ok(200)["owner"], ravi);
    let listed = server.read_only().get(&features("?search=newer")).await.items();
    assert_eq!(listed[0]["owner"], ravi);
    let entries = server.administrator().get("/api/v1/audit-log?action=feature.update").await.items();
    let owners: Vec<_> =
        entries.iter().map(|entry| (&entry["before"]["ownerId"], &entry["after"]["ownerId"])).collect();
    assert!(owners.contains(&(&edda["id"], &ravi["id"])), "{entries:?}");
    editor.patch(&features("/new-one"), &json!({ "ownerId": null })).await.ok(200);
    assert_eq!(owner(&server, "new-one").await, Value::Null);
}

#[apply(on_default_database)]
async fn an_owner_who_does_not_exist_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    for refused in [
        server.editor().post(&features(""), &json!({ "key": "new-one", "name": "New one", "ownerId": "nobody" })).await,
        server.editor().patch(&features("/reviews"), &json!({ "ownerId": "nobody" })).await,
    ] {
        assert_eq!(refused.pointers(), ["/ownerId"]);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn another_owner_changes_nothing_for_users_and_needs_no_approval(database: Database) {
    let server = Server::start(&database).await;
    server.administrator().patch(&environment("production", ""), &json!({ "approvalRequired": true })).await.ok(200);
    let before = server.browser("production").load_id("alice").await.features;
    let edda = person(&server.editor()).await;
    server.editor().patch(&features("/search-suggestions"), &json!({ "ownerId": edda["id"] })).await.ok(200);
    assert_eq!(owner(&server, "search-suggestions").await, edda);
    assert_eq!(server.browser("production").load_id("alice").await.features, before);
}

#[apply(on_each_database)]
async fn a_feature_whose_owner_is_deleted_has_none_and_another_version_and_the_record_names_it(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, colleague) = (server.administrator(), server.colleague("Ines", Role::Editor).await);
    let ines = person(&colleague).await;
    colleague.post("/api/v1/tokens", &json!({ "name": "Laptop" })).await.ok(201);
    let revoked = colleague.post("/api/v1/tokens", &json!({ "name": "Lost phone" })).await.ok(201);
    colleague.delete(&format!("/api/v1/tokens/{}", revoked["id"].as_str().unwrap())).await.ok(204);
    for feature in ["/reviews", "/gift-cards"] {
        administrator.patch(&features(feature), &json!({ "ownerId": ines["id"] })).await.ok(200);
    }
    let (seen, other) =
        (administrator.get(&features("/reviews")).await, administrator.get(&features("/winter-sale")).await);
    let path = format!("/api/v1/users/{}", ines["id"].as_str().unwrap());
    administrator.delete(&path).await.ok(204);

    let now = administrator.get(&features("/reviews")).await;
    assert_eq!(now.ok(200)["owner"], Value::Null);
    let renamed = administrator.patch_if(&features("/reviews"), &seen.etag(), &json!({ "name": "Opinions" })).await;
    renamed.assert_stale(&seen.etag(), &now.etag());
    assert_eq!(administrator.get(&features("/winter-sale")).await.etag(), other.etag(), "a feature of somebody else");
    let entries = administrator.get("/api/v1/audit-log?action=user.delete").await.items();
    let before = &entries[0]["before"];
    assert_eq!(before["features"], json!(["projects/shop/features/gift-cards", "projects/shop/features/reviews"]));
    let tokens: Vec<_> = before["tokens"].as_array().unwrap().iter().map(|token| token["name"].clone()).collect();
    assert!(tokens.contains(&json!("Laptop")) && !tokens.contains(&json!("Lost phone")), "{tokens:?}");
}
