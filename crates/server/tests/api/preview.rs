//! Preview: which variant a user would get, by which rule and bucket. The expected buckets are given by the specification.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, condition, everyone, features, on_default_database, project, rule, split, targeting, targeting_of,
};

/// Creates a feature with known buckets: with salt 1, `f1` puts alice in the 9th percent and bob in the 14th.
async fn with_f1(server: &Server) {
    let new = json!({ "key": "f1", "name": "One", "lifecycle": "Active" });
    server.production_editor().post(&features(""), &new).await.ok(201);
}

async fn preview(caller: &Caller, feature: &str, environment: &str, question: &Value) -> Value {
    caller.post(&format!("{}/preview", targeting_of(feature, environment)), question).await.ok(200)
}

#[apply(on_default_database)]
async fn a_preview_of_stored_targeting_shows_rule_bucket_and_share(database: Database) {
    let server = Server::start(&database).await;
    with_f1(&server).await;
    let danes = [condition("country", "equals", json!(["DK"])), condition("age", "greaterThan", json!([17]))];
    let rules = [rule(&danes), split(10.0, 90.0)];
    server.editor().put(&targeting_of("f1", "staging"), &targeting(&rules)).await.ok(200);
    let before = server.stored_rows().await;
    let reader = server.read_only();

    let young = json!({ "id": "alice", "attributes": { "country": "DK", "age": 12 } });
    let alice = preview(&reader, "f1", "staging", &json!({ "user": young })).await;
    let bucket = alice["bucket"].as_u64().unwrap();
    assert!((8_000..9_000).contains(&bucket), "{bucket}");
    let expected = json!({
        "variantKey": "on",
        "enabled": true,
        "reason": "rule",
        "ruleIndex": 1,
        "ruleName": "Split",
        "bucket": bucket,
        "share": { "variantKey": "on", "from": 0, "to": 10_000 },
        "rules": [
            {
                "index": 0,
                "name": "Some",
                "audienceKey": null,
                "matched": false,
                "conditions": [
                    { "attribute": "country", "operator": "equals", "values": ["DK"], "matched": true },
                    { "attribute": "age", "operator": "greaterThan", "values": [17], "matched": false },
                ],
            },
            { "index": 1, "name": "Split", "audienceKey": null, "matched": true, "conditions": [] },
        ],
    });
    assert_eq!(alice, expected);

    let bob = preview(&reader, "f1", "staging", &json!({ "user": { "id": "bob" } })).await;
    assert!((13_000..14_000).contains(&bob["bucket"].as_u64().unwrap()), "{bob}");
    assert_eq!(bob["share"], json!({ "variantKey": "off", "from": 10_000, "to": 100_000 }));
    // The preview matches what users get.
    for (user, preview_result) in [(&young, &alice), (&json!({ "id": "bob" }), &bob)] {
        assert_eq!(server.browser("staging").load(user).await.features["f1"], preview_result["variantKey"], "{user}");
    }
    // A user without an id has a bucket too.
    assert!(preview(&reader, "f1", "staging", &json!({ "user": {} })).await["bucket"].is_u64());
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn unsaved_targeting_can_be_previewed_without_saving_it(database: Database) {
    let server = Server::start(&database).await;
    with_f1(&server).await;
    let before = server.stored_rows().await;
    let reader = server.read_only();
    let alice = json!({ "id": "alice" });
    let preview_draft =
        async |draft: Value| preview(&reader, "f1", "production", &json!({ "user": alice, "targeting": draft })).await;

    let preview_result =
        preview_draft(json!({ "enabled": false, "offVariantKey": "off", "rules": [everyone("on")] })).await;
    assert_eq!([&preview_result["variantKey"], &preview_result["reason"]], ["off", "off"]);
    assert_eq!(
        [&preview_result["ruleIndex"], &preview_result["ruleName"], &preview_result["share"]],
        [&Value::Null; 3]
    );
    assert_eq!([&preview_result["enabled"], &preview_result["rules"][0]["matched"]], [false, false]);

    let preview_result = preview_draft(targeting(&[rule(&[condition("country", "equals", json!(["DK"]))])])).await;
    assert_eq!([&preview_result["variantKey"], &preview_result["reason"]], ["off", "noRule"]);
    assert_eq!(
        [&preview_result["ruleIndex"], &preview_result["ruleName"], &preview_result["share"]],
        [&Value::Null; 3]
    );

    // The first matching rule decides, but later rules are shown as matching too.
    let preview_result = preview_draft(targeting(&[everyone("off"), everyone("on")])).await;
    assert_eq!((&preview_result["variantKey"], &preview_result["ruleIndex"]), (&json!("off"), &json!(0)));
    assert_eq!([&preview_result["rules"][0]["matched"], &preview_result["rules"][1]["matched"]], [true, true]);

    assert_eq!(preview(&reader, "f1", "production", &json!({ "user": alice })).await["reason"], "off");
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_preview_shows_the_conditions_of_a_saved_audience_and_uses_the_requested_time(database: Database) {
    let server = Server::start(&database).await;
    let reader = server.read_only();
    let kim = json!({ "user": { "id": "kim", "attributes": { "plan": "pro" } } });
    let preview_result = preview(&reader, "recommendations", "staging", &kim).await;
    assert_eq!([&preview_result["variantKey"], &preview_result["rules"][0]["audienceKey"]], ["on", "paying-customers"]);
    let expected = json!([{ "attribute": "plan", "operator": "in", "values": ["pro", "team"], "matched": true }]);
    assert_eq!(preview_result["rules"][0]["conditions"], expected);

    // A weekend, from midnight to midnight at +01:00.
    for (at, variant, holds) in [
        ("2026-12-11T22:59:59Z", "off", [false, true]),
        ("2026-12-12T12:00:00+01:00", "on", [true, true]),
        ("2026-12-14T00:00:00+01:00", "off", [true, false]),
    ] {
        let question = json!({ "user": { "id": "kim" }, "at": at });
        let preview_result = preview(&reader, "dark-roast-weekend", "production", &question).await;
        assert_eq!(preview_result["variantKey"], variant, "{at}");
        let conditions = &preview_result["rules"][0]["conditions"];
        assert_eq!([&conditions[0]["matched"], &conditions[1]["matched"]], holds, "{at}");
    }
}

#[apply(on_default_database)]
async fn invalid_targeting_is_rejected_with_the_same_errors_as_when_saving(database: Database) {
    let server = Server::start(&database).await;
    let (editor, reader) = (server.editor(), server.read_only());
    let path = targeting_of("reviews", "staging");
    let of = |path: &str| format!("{path}/preview");
    let unknown = json!({ "audienceKey": "nobody", "splits": [{ "variantKey": "purple", "percentage": 100 }] });
    let draft = targeting(&[split(10.0, 20.0), unknown]);
    let refused = editor.put(&path, &draft).await.problem(422, "invalid");
    let preview_result =
        reader.post(&of(&path), &json!({ "user": {}, "targeting": draft })).await.problem(422, "invalid");
    let (refused, preview_result) =
        (refused["errors"].as_array().unwrap(), preview_result["errors"].as_array().unwrap());
    assert_eq!((refused.len(), preview_result.len()), (3, 3), "{refused:?}");
    for (refused, preview_result) in refused.iter().zip(preview_result) {
        assert_eq!(preview_result["pointer"], format!("/targeting{}", refused["pointer"].as_str().unwrap()));
        assert_eq!(preview_result["detail"], refused["detail"]);
    }
    // An audience of another environment is not available here.
    let testers = json!({ "audienceKey": "staging-testers", "splits": [{ "variantKey": "on", "percentage": 100 }] });
    let question = json!({ "user": {}, "targeting": targeting(&[testers]) });
    reader.post(&of(&path), &question).await.ok(200);
    let elsewhere = reader.post(&of(&targeting_of("reviews", "production")), &question).await;
    assert_eq!(elsewhere.pointers(), ["/targeting/rules/0/audienceKey"]);

    for question in [
        json!({}),
        json!({ "user": { "id": "a", "name": "A" } }),
        json!({ "user": {}, "when": "now" }),
        json!({ "user": {}, "at": "tomorrow" }),
        json!({ "user": {}, "targeting": { "enabled": true } }),
    ] {
        reader.post(&of(&path), &question).await.problem(422, "invalid");
    }
    for path in [targeting_of("none", "staging"), targeting_of("reviews", "none")] {
        reader.post(&of(&path), &json!({ "user": {} })).await.problem(404, "not-found");
    }
    let nobodys = of(&targeting_of("reviews", "staging")).replacen(&project(""), "/api/v1/projects/none", 1);
    reader.post(&nobodys, &json!({ "user": {} })).await.problem(404, "not-found");
}
