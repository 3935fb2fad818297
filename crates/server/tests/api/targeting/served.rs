//! What is served, in short: in the targeting of a feature, in the response to each write of it, and in the list of features.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, condition, environment, everyone, features, on_default_database, on_each_database, project, rule,
    split, targeting, targeting_of,
};

const FEATURE: &str = "sticky-basket";

/// What the list of features says of the feature in staging.
async fn listed(caller: &Caller) -> Value {
    let list = caller.get(&features(&format!("?environments=true&search={FEATURE}"))).await;
    let [item]: [Value; 1] = list.items().try_into().unwrap();
    item["environments"][1]["served"].clone()
}

/// Asserts that the response to a write, a read and the list say the same; returns its sentence.
async fn summary(caller: &Caller, written: &Value) -> String {
    let read = caller.get(&targeting_of(FEATURE, "staging")).await.ok(200);
    assert_eq!(read["served"], written["served"]);
    assert_eq!(listed(caller).await, written["served"]);
    written["served"]["summary"].as_str().unwrap().to_owned()
}

#[apply(on_default_database)]
async fn what_is_served_is_said_after_every_write_and_in_the_list(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.production_editor(), targeting_of(FEATURE, "staging"));
    let beta = rule(&[condition("beta", "equals", json!([true]))]);
    for (rules, expected) in [
        (vec![], "serves off"),
        (vec![everyone("off")], "serves off"),
        (vec![everyone("on")], "on 100%"),
        (vec![split(33.333, 66.667)], "on 33.333%"),
        (vec![beta.clone()], "on for 1 rule"),
        (vec![beta, split(25.0, 75.0)], "on for 1 rule, else on 25%"),
    ] {
        let replaced = editor.put(&path, &targeting(&rules)).await.ok(200);
        assert_eq!(summary(&editor, &replaced).await, expected);
        assert_eq!(replaced["served"]["onlyOffVariant"], expected == "serves off");
    }
    for (edit, expected) in [
        (json!({ "enabled": false }), "serves off"),
        (json!({ "offVariantKey": "on" }), "serves on"),
        (json!({ "enabled": true, "rules": [everyone("off")] }), "off 100%"),
        // Without effect.
        (json!({ "enabled": true }), "off 100%"),
    ] {
        assert_eq!(summary(&editor, &editor.patch(&path, &edit).await.ok(200)).await, expected, "{edit}");
    }
    for _ in 0..2 {
        let off = editor.post(&format!("{path}/break-glass"), &json!({ "reason": "Too slow" })).await.ok(200);
        assert_eq!(summary(&editor, &off).await, "serves on");
    }
}

#[apply(on_each_database)]
async fn a_saved_audience_without_conditions_is_everyone(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.administrator();
    let audience =
        json!({ "key": "crew", "name": "Crew", "conditions": [condition("team", "equals", json!(["crew"]))] });
    editor.post(&project("/audiences"), &audience).await.ok(201);
    let of_crew = json!({ "audienceKey": "crew", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    let written = editor.put(&targeting_of(FEATURE, "staging"), &targeting(&[of_crew])).await.ok(200);
    assert_eq!(summary(&editor, &written).await, "on for 1 rule");
    editor.patch(&project("/audiences/crew"), &json!({ "conditions": [] })).await.ok(200);
    let read = editor.get(&targeting_of(FEATURE, "staging")).await.ok(200);
    assert_eq!(summary(&editor, &read).await, "on 100%");
}

#[apply(on_default_database)]
async fn an_archived_feature_is_not_served(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for place in ["development", "staging", "production"] {
        administrator.patch(&environment(place, ""), &json!({ "approvalRequired": false })).await.ok(200);
    }
    administrator.patch(&features(&format!("/{FEATURE}")), &json!({ "lifecycle": "Archived" })).await.ok(200);
    let read = administrator.get(&targeting_of(FEATURE, "staging")).await.ok(200);
    assert_eq!(summary(&administrator, &read).await, "not served");
    assert_eq!(read["served"]["splits"], json!([]));
}
