//! The type of a feature is stored. Changing it changes what every environment serves to typed SDKs.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{approve, pending, value};
use crate::fixture::{Server, features, on_default_database};

#[apply(on_default_database)]
async fn a_third_variant_turns_a_boolean_into_a_string_and_needs_the_production_editor(database: Database) {
    let server = Server::start(&database).await;
    let third = json!({ "variants": ["on", "off", "later"] });
    let path = features("/search-suggestions");
    let before = server.stored_rows().await;
    server.editor().patch(&path, &third).await.problem(403, "forbidden");
    server.editor().patch(&path, &json!({ "type": "string" })).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    assert!(value(&server, "production", "search-suggestions").await.is_boolean());

    let changed = server.production_editor().patch(&path, &third).await.ok(200);
    assert_eq!(changed["type"], "string");
    assert!(value(&server, "production", "search-suggestions").await.is_string());
    // The variants alone do not change the type back.
    let two = json!({ "variants": ["on", "off"] });
    assert_eq!(server.editor().patch(&path, &two).await.ok(200)["type"], "string");
    server.editor().patch(&path, &json!({ "type": "boolean" })).await.problem(403, "forbidden");
}

#[apply(on_default_database)]
async fn a_boolean_feature_has_the_variants_on_and_off_only(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.production_editor();
    let new = |value_type: Value| json!({ "key": "new", "name": "New", "variants": ["a", "off"], "type": value_type });
    assert_eq!(editor.post(&features(""), &new(json!("boolean"))).await.pointers(), ["/type"]);
    assert_eq!(editor.post(&features(""), &new(Value::Null)).await.ok(201)["type"], "string");
    assert_eq!(editor.patch(&features("/new"), &json!({ "type": "boolean" })).await.pointers(), ["/type"]);
    let text = json!({ "key": "text", "name": "Text", "type": "string" });
    assert_eq!(editor.post(&features(""), &text).await.ok(201)["type"], "string");
    assert_eq!(value(&server, "production", "text").await, "off");
}

#[apply(on_default_database)]
async fn changing_the_type_of_a_protected_feature_needs_an_approval(database: Database) {
    let server = Server::start(&database).await;
    let path = features("/search-suggestions");
    server.administrator().patch(&path, &json!({ "approvalRequired": true })).await.ok(200);
    let third = json!({ "variants": ["on", "off", "later"], "comment": "Three states from May" });
    let response = server.production_editor().patch(&path, &third).await;
    let requested = response.ok(202);
    assert_eq!((&requested["kind"], &requested["comment"]), (&json!("feature"), &third["comment"]));
    assert_eq!(requested["feature"]["before"]["type"], "boolean");
    assert_eq!(requested["feature"]["after"]["type"], "string");
    assert_eq!(requested["feature"]["after"]["variants"], third["variants"]);
    assert!(value(&server, "production", "search-suggestions").await.is_boolean());
    approve(&server.administrator(), &pending(&response)).await.ok(200);
    assert!(value(&server, "production", "search-suggestions").await.is_string());
}
