//! Invalid rules are rejected with pointers to all violations, and nothing is stored.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, condition, everyone, on_default_database, rule, split, targeting, targeting_of};

fn in_audience(key: &str) -> Value {
    json!({ "audienceKey": key, "splits": [{ "variantKey": "on", "percentage": 100 }] })
}

fn splits(splits: Value) -> Value {
    json!({ "splits": splits })
}

/// Invalid rules, and the pointers of their violations.
fn invalid() -> Vec<(Vec<Value>, Vec<&'static str>)> {
    let attribute = |operator: &str, value: Value| rule(&[condition("name", operator, json!([value]))]);
    vec![
        (vec![attribute("matches", json!("["))], vec!["/rules/0/conditions/0/values/0"]),
        (vec![attribute("matches", json!("(?<=a)b"))], vec!["/rules/0/conditions/0/values/0"]),
        (vec![attribute("matches", json!("a".repeat(1025)))], vec!["/rules/0/conditions/0/values/0"]),
        (vec![attribute("matches", json!("(a{500}){500}"))], vec!["/rules/0/conditions/0/values/0"]),
        (vec![attribute("resembles", json!("a"))], vec!["/rules/0/conditions/0/operator"]),
        (vec![attribute("before", json!("2026-13-01"))], vec!["/rules/0/conditions/0/values/0"]),
        (vec![split(98.0, 1.0)], vec!["/rules/0/splits"]),
        (vec![split(60.0, 40.001)], vec!["/rules/0/splits"]),
        (vec![splits(json!([]))], vec!["/rules/0/splits"]),
        (vec![everyone("on"), everyone("purple")], vec!["/rules/1/splits/0/variantKey"]),
        (vec![everyone("on"), in_audience("nobody")], vec!["/rules/1/audienceKey"]),
        (
            vec![attribute("matches", json!("[")), split(98.0, 1.0), everyone("purple")],
            vec!["/rules/0/conditions/0/values/0", "/rules/1/splits", "/rules/2/splits/0/variantKey"],
        ),
    ]
}

#[apply(on_default_database)]
async fn an_invalid_rule_is_rejected_with_pointers_and_nothing_is_stored(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let path = targeting_of("reviews", "staging");
    let before = server.stored_rows().await;
    for (rules, places) in invalid() {
        assert_eq!(editor.put(&path, &targeting(&rules)).await.pointers(), places, "{rules:?}");
        assert_eq!(editor.patch(&path, &json!({ "rules": rules })).await.pointers(), places, "{rules:?}");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_unknown_off_variant_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "staging");
    let before = server.stored_rows().await;
    let refused = server.editor().patch(&path, &json!({ "offVariantKey": "purple" })).await;
    assert_eq!(refused.pointers(), ["/offVariantKey"]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_audience_of_another_environment_is_rejected(database: Database) {
    let server = Server::start(&database).await;
    let before = server.stored_rows().await;
    let rules = targeting(&[in_audience("staging-testers")]);
    let refused = server.administrator().put(&targeting_of("reviews", "production"), &rules).await;
    assert_eq!(refused.pointers(), ["/rules/0/audienceKey"]);
    server.assert_unchanged_since(&before).await;
    server.administrator().put(&targeting_of("reviews", "staging"), &rules).await.ok(200);
}

#[apply(on_default_database)]
async fn a_body_with_the_wrong_shape_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let path = targeting_of("reviews", "staging");
    let before = server.stored_rows().await;
    let both = json!({ "audienceKey": "staff", "conditions": [], "splits": everyone("on")["splits"] });
    for (edit, place) in [
        (json!({ "enabled": "yes" }), "/enabled"),
        (json!({ "offVariantKey": "not a key" }), "/offVariantKey"),
        (json!({ "rules": {} }), "/rules"),
        (json!({ "rules": [everyone("on"), both] }), "/rules/1"),
        (
            json!({ "rules": [splits(json!([{ "variantKey": "on", "percentage": 100.5 }]))] }),
            "/rules/0/splits/0/percentage",
        ),
        (
            json!({ "rules": [splits(json!([{ "variantKey": "on", "percentage": -1 }]))] }),
            "/rules/0/splits/0/percentage",
        ),
        (
            json!({ "rules": [splits(json!([{ "variantKey": "on", "percentage": 0.0005 }]))] }),
            "/rules/0/splits/0/percentage",
        ),
        (json!({ "rules": [rule(&[condition("name", "equals", json!([null]))])] }), "/rules/0/conditions/0/values/0"),
        (json!({ "rules": [rule(&[condition("name", "equals", json!("x"))])] }), "/rules/0/conditions/0/values"),
    ] {
        assert_eq!(editor.patch(&path, &edit).await.pointers(), [place], "{edit}");
    }
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_unknown_field_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let path = targeting_of("reviews", "staging");
    let before = server.stored_rows().await;
    let mut named = everyone("on");
    named["nam"] = json!("Everybody");
    let mut shared = everyone("on");
    shared["splits"][0]["share"] = json!(1);
    let mut conditioned = rule(&[condition("name", "equals", json!(["Anna"]))]);
    conditioned["conditions"][0]["negate"] = json!(true);
    for (edit, place) in [
        (json!({ "enable": true }), "/enable"),
        (json!({ "rules": [named] }), "/rules/0/nam"),
        (json!({ "rules": [shared] }), "/rules/0/splits/0/share"),
        (json!({ "rules": [conditioned] }), "/rules/0/conditions/0/negate"),
    ] {
        assert_eq!(editor.patch(&path, &edit).await.pointers(), [place], "{edit}");
    }
    server.assert_unchanged_since(&before).await;
}
