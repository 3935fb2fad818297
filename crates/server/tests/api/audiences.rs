//! `/api/v1/projects/{projectKey}/audiences`.

mod edits;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, condition, on_default_database, on_each_database, project, targeting, targeting_of};

fn everyone_in(audience: &str) -> Value {
    json!({ "name": "", "audienceKey": audience, "splits": [{ "variantKey": "on", "percentage": 100 }] })
}

#[apply(on_default_database)]
async fn an_audience_of_the_project_serves_every_environment(database: Database) {
    let server = Server::start(&database).await;
    let new = json!({ "key": "anna", "name": "Annas", "conditions": [condition("name", "equals", json!(["Anna"]))] });
    let created = server.editor().post(&project("/audiences"), &new).await.ok(201);
    let expected = json!({ "key": "anna", "name": "Annas", "environmentKey": null, "conditions": new["conditions"] });
    assert_eq!(created, expected);
    let list = server.read_only().get(&project("/audiences")).await.ok(200);
    assert!(list["items"].as_array().unwrap().contains(&expected), "{list}");

    for environment in ["staging", "production"] {
        let path = targeting_of("gift-cards", environment);
        server.administrator().put(&path, &targeting(&[everyone_in("anna")])).await.ok(200);
        let anna = json!({ "id": "1", "attributes": { "name": "Anna" } });
        assert_eq!(server.browser(environment).load(&anna).await.features["gift-cards"], "on");
        assert_eq!(server.browser(environment).load_id("1").await.features["gift-cards"], "off");
    }
}

#[apply(on_default_database)]
async fn an_audience_of_one_environment_serves_no_other(database: Database) {
    let server = Server::start(&database).await;
    let conditions = json!([condition("name", "equals", json!(["Anna"]))]);
    let new = json!({ "key": "anna", "name": "Annas", "environmentKey": "staging", "conditions": conditions });
    let created = server.editor().post(&project("/audiences"), &new).await.ok(201);
    assert_eq!(created["environmentKey"], "staging");

    let administrator = server.administrator();
    let rules = targeting(&[everyone_in("anna")]);
    administrator.put(&targeting_of("gift-cards", "staging"), &rules).await.ok(200);
    let refused = administrator.put(&targeting_of("gift-cards", "production"), &rules).await;
    assert_eq!(refused.pointers(), ["/rules/0/audienceKey"]);
}

#[apply(on_default_database)]
async fn conditions_that_can_never_match_are_rejected_with_pointers(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let conditions = json!([
        condition("country", "in", json!(["SE"])),
        condition("name", "matches", json!(["("])),
        condition("name", "sounds", json!(["Anna"])),
        condition("since", "before", json!(["soon"])),
        condition("age", "greaterThan", json!(["18"])),
        condition("", "equals", json!(["x"])),
        condition("country", "in", json!([])),
        condition("flagservice.date", "equals", json!(["2026-11-21"])),
    ]);
    let new = json!({ "key": "odd", "name": "Odd", "conditions": conditions });
    let refused = server.editor().post(&project("/audiences"), &new).await;
    assert_eq!(
        refused.pointers(),
        [
            "/conditions/1/values/0",
            "/conditions/2/operator",
            "/conditions/3/values/0",
            "/conditions/4/values/0",
            "/conditions/5/attribute",
            "/conditions/6/values",
            "/conditions/7/operator",
        ]
    );
    server.assert_unchanged_since(&before).await;
}

#[apply(on_each_database)]
async fn a_duplicate_key_is_a_conflict_and_an_unknown_environment_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let taken = json!({ "key": "nordics", "name": "Another", "conditions": [] });
    server.editor().post(&project("/audiences"), &taken).await.problem(409, "exists");
    let nowhere = json!({ "key": "anna", "name": "Annas", "environmentKey": "nowhere", "conditions": [] });
    assert_eq!(server.editor().post(&project("/audiences"), &nowhere).await.pointers(), ["/environmentKey"]);
    server.assert_unchanged_since(&before).await;
}
