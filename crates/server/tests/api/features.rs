//! `/api/v1/projects/{projectKey}/features`.

mod edits;
mod list;
mod owners;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, features, on_default_database, on_each_database, targeting_of};

#[apply(on_default_database)]
async fn a_new_feature_is_a_draft_with_variants_on_and_off_and_is_off_everywhere(database: Database) {
    let server = Server::start(&database).await;
    let created = server.editor().post(&features(""), &json!({ "key": "new-one", "name": "New one" })).await.ok(201);
    let expected = json!({
        "key": "new-one", "name": "New one", "description": "", "lifecycle": "Draft", "variants": ["on", "off"],
        "type": "boolean", "tags": [], "owner": null, "approvalRequired": false, "pipelineKey": null, "phase": null,
    });
    assert_eq!(created, expected);
    assert_eq!(server.read_only().get(&features("/new-one")).await.ok(200), expected);
    for environment in ["development", "staging", "production"] {
        let stored = server.read_only().get(&targeting_of("new-one", environment)).await.ok(200);
        assert_eq!((&stored["enabled"], &stored["offVariantKey"]), (&json!(false), &json!("off")), "{environment}");
        assert_eq!(stored["rules"], json!([]));
        assert_eq!(server.browser(environment).load_id("alice").await.features["new-one"], "off");
    }
}

#[apply(on_default_database)]
async fn a_feature_is_created_with_the_given_variants(database: Database) {
    let server = Server::start(&database).await;
    let new = json!({
        "key": "colour", "name": "Colour", "description": "Which?", "variants": ["red", "green"], "lifecycle": "Active",
        "tags": ["paint"], "approvalRequired": true, "pipelineKey": null,
    });
    let mut expected = new.clone();
    expected["phase"] = Value::Null;
    expected["owner"] = Value::Null;
    expected["type"] = json!("string");
    assert_eq!(server.production_editor().post(&features(""), &new).await.ok(201), expected);
    assert_eq!(server.browser("production").load_id("alice").await.features["colour"], "green");

    let before = server.stored_rows().await;
    let with = |variants: Value| json!({ "key": "more", "name": "More", "variants": variants });
    for (variants, pointer) in [
        (json!([]), "/variants"),
        (json!(["only"]), "/variants"),
        (json!(["on", "off", "on"]), "/variants/2"),
        (json!(["on", "not a key"]), "/variants/1"),
    ] {
        assert_eq!(server.editor().post(&features(""), &with(variants)).await.pointers(), [pointer]);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn features_are_listed_by_key(database: Database) {
    let list = Server::start(&database).await.read_only().get(&features("")).await.ok(200);
    let keys: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect();
    let demo = [
        "banner-color",
        "dark-roast-weekend",
        "express-delivery",
        "free-shipping-banner",
        "gift-cards",
        "loyalty-points",
        "new-checkout",
        "recommendations",
        "reviews",
        "search-suggestions",
        "sticky-basket",
        "winter-sale",
    ];
    assert_eq!(keys, demo);
}

#[apply(on_default_database)]
async fn name_description_and_lifecycle_can_be_changed_separately(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let path = features("/gift-cards");
    let mut expected = editor.get(&path).await.ok(200);
    for (field, value) in [("name", "Vouchers"), ("description", "Coffee on paper."), ("lifecycle", "Active")] {
        expected[field] = json!(value);
        assert_eq!(editor.patch(&path, &json!({ field: value })).await.ok(200), expected);
        assert_eq!(editor.get(&path).await.ok(200), expected);
    }
}

#[apply(on_each_database)]
async fn a_duplicate_key_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let again = json!({ "key": "reviews", "name": "Again" });
    server.editor().post(&features(""), &again).await.problem(409, "exists");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn of_two_concurrent_creations_of_a_feature_one_is_a_conflict(database: Database) {
    let server = Server::start(&database).await;
    let (path, first, second) = (features(""), server.editor(), server.administrator());
    for round in 0..5 {
        let new = json!({ "key": format!("new-{round}"), "name": "New" });
        let (first, second) = tokio::join!(first.post(&path, &new), second.post(&path, &new));
        let (done, refused) = if first.status == 201 { (first, second) } else { (second, first) };
        done.ok(201);
        refused.problem(409, "exists");
    }
}

#[apply(on_default_database)]
async fn a_write_without_effect_leaves_no_audit_record(database: Database) {
    let server = Server::start(&database).await;
    let path = features("/reviews");
    let known = server.editor().get(&path).await.ok(200);
    let before = server.stored_rows().await;
    let same = json!({ "name": known["name"], "description": known["description"], "lifecycle": known["lifecycle"] });
    for edit in [json!({}), same] {
        assert_eq!(server.editor().patch(&path, &edit).await.ok(200), known);
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_editor_cannot_archive_or_restore_a_feature_that_production_serves(database: Database) {
    let server = Server::start(&database).await;
    let path = features("/reviews");
    let (archived, active) = (json!({ "lifecycle": "Archived" }), json!({ "lifecycle": "Active" }));
    let before = server.stored_rows().await;
    server.editor().patch(&path, &archived).await.problem(403, "forbidden");
    server.assert_unchanged_since(&before).await;
    server.production_editor().patch(&path, &archived).await.ok(200);
    server.editor().patch(&path, &active).await.problem(403, "forbidden");
    server.production_editor().patch(&path, &active).await.ok(200);
}

#[apply(on_default_database)]
async fn a_missing_feature_is_not_found(database: Database) {
    let editor = Server::start(&database).await.editor();
    for path in [features("/nothing"), "/api/v1/projects/nothing/features/reviews".to_owned()] {
        editor.get(&path).await.problem(404, "not-found");
        editor.patch(&path, &json!({ "name": "New" })).await.problem(404, "not-found");
    }
}

#[apply(on_default_database)]
async fn a_path_that_is_not_utf8_is_not_found(database: Database) {
    let editor = Server::start(&database).await.editor();
    for path in
        [features("/%FF"), features("/%00"), "/api/v1/projects/%FF/features".to_owned(), targeting_of("%FF", "staging")]
    {
        let response = editor.get(&path).await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (404, Some("application/problem+json")),
            "{path}"
        );
    }
}
