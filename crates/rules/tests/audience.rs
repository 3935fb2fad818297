//! The audience of an experiment: the users that all its conditions match.

#![expect(clippy::unwrap_used, reason = "an error should fail the test")]

use flagservice_rules::{
    CompiledAudience, CompiledExperiment, CompiledFeature, Condition, ConditionResults, Instant, Key,
    RulesetExperiment, RulesetFeature, Targeting, User,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn audience(conditions: Value) -> CompiledAudience {
    let conditions: Vec<Condition> = serde_json::from_value(conditions).unwrap();
    CompiledAudience::compile(&conditions)
}

fn includes(audience: &CompiledAudience, user: Value, at: i64) -> bool {
    let user: User = serde_json::from_value(user).unwrap();
    audience.includes(&user, Instant(at), &mut ConditionResults::default())
}

#[test]
fn without_conditions_everybody_takes_part_and_with_them_those_that_all_match() {
    assert!(includes(&audience(json!([])), json!({ "id": "ada" }), 0));
    let both = audience(json!([
        { "attribute": "country", "operator": "equals", "values": ["SE"] },
        { "attribute": "plan", "operator": "in", "values": ["pro", "team"] },
    ]));
    assert!(includes(&both, json!({ "id": "ada", "attributes": { "country": "SE", "plan": "pro" } }), 0));
    assert!(!includes(&both, json!({ "id": "ada", "attributes": { "country": "SE", "plan": "free" } }), 0));
    assert!(!includes(&both, json!({ "id": "ada" }), 0));
}

#[test]
fn a_condition_that_is_invalid_leaves_nobody() {
    let invalid = audience(json!([{ "attribute": "name", "operator": "matches", "values": ["("] }]));
    assert!(!includes(&invalid, json!({ "id": "ada", "attributes": { "name": "(" } }), 0));
}

#[test]
fn time_turns_an_audience_with_a_date() {
    let until = audience(json!([
        { "attribute": "flagservice.date", "operator": "before", "values": ["1970-01-01T00:00:10Z"] },
    ]));
    assert!(includes(&until, json!({ "id": "ada" }), 9_999));
    assert!(!includes(&until, json!({ "id": "ada" }), 10_000));
    assert_eq!(until.next_turn(Instant(0)), Some(Instant(10_000)));
    assert_eq!(until.next_turn(Instant(10_000)), None);
}

#[test]
fn rules_name_an_experiment_only_while_one_runs() {
    let targeting = json!({ "enabled": true, "rules": [], "offVariantKey": "off" });
    let without = json!({ "key": "checkout", "salt": "1", "targeting": targeting });
    let feature: RulesetFeature = serde_json::from_value(without.clone()).unwrap();
    assert_eq!(feature.experiment, None);
    assert_eq!(serde_json::to_value(&feature).unwrap(), without);
    let running = json!({ "key": "checkout", "salt": "1", "targeting": targeting, "experiment": {} });
    let feature: RulesetFeature = serde_json::from_value(running.clone()).unwrap();
    assert_eq!(feature.experiment.as_ref().map(|experiment| experiment.audience.len()), Some(0));
    assert_eq!(serde_json::to_value(&feature).unwrap(), running);
}

/// What is reported of a user when these rules are in force.
fn entry_with(rules: Value, experiment: &Value, user: Value) -> Option<String> {
    let experiment: RulesetExperiment = serde_json::from_value(experiment.clone()).unwrap();
    let targeting: Targeting =
        serde_json::from_value(json!({ "enabled": true, "rules": rules, "offVariantKey": "off" })).unwrap();
    let user: User = serde_json::from_value(user).unwrap();
    let key = Key::parse("checkout").unwrap();
    let feature = CompiledFeature::compile(&key, "1", &targeting, &BTreeMap::<Key, Vec<Condition>>::new());
    let compiled = CompiledExperiment::compile(&key, &experiment);
    compiled.entry(&feature, &user, Instant(0), &mut ConditionResults::default()).map(str::to_owned)
}

fn entry(experiment: &Value, user: Value) -> Option<String> {
    entry_with(json!([rule(json!([]), &[("on", 50), ("off", 50)])]), experiment, user)
}

fn rule(conditions: Value, splits: &[(&str, u32)]) -> Value {
    let split = |(variant, percentage): &(&str, u32)| json!({ "variantKey": variant, "percentage": percentage });
    json!({ "name": "", "conditions": conditions, "splits": splits.iter().map(split).collect::<Vec<_>>() })
}

#[test]
fn only_users_whom_the_deciding_rule_splits_take_part() {
    let plan = |plan: &str| json!([{ "attribute": "plan", "operator": "equals", "values": [plan] }]);
    let of = |plan: &str| json!({ "id": "ada", "attributes": { "plan": plan } });
    let rules = json!([
        rule(plan("team"), &[("on", 100)]),
        rule(plan("pro"), &[("on", 50), ("off", 50)]),
        rule(plan("trial"), &[("on", 0), ("off", 100)]),
    ]);
    assert_eq!(entry_with(rules.clone(), &json!({}), of("pro")).as_deref(), Some("checkout"));
    for alike in ["team", "trial", "free"] {
        assert_eq!(entry_with(rules.clone(), &json!({}), of(alike)), None, "{alike}");
    }
    assert_eq!(entry_with(json!([]), &json!({}), of("pro")), None);
}

#[test]
fn an_entry_names_the_segment_and_the_run() {
    let mut experiment = json!({ "run": 7, "segments": { "attribute": "plan", "values": ["pro", "team"] } });
    let of = |plan: &str| json!({ "id": "ada", "attributes": { "plan": plan } });
    assert_eq!(entry(&experiment, of("team")).as_deref(), Some("checkout/2/7"));
    assert_eq!(entry(&experiment, of("free")).as_deref(), Some("checkout/0/7"));
    experiment["run"] = json!(u32::MAX);
    assert_eq!(entry(&experiment, of("pro")).as_deref(), Some("checkout/1/4294967295"));
}

#[test]
fn a_participant_is_in_the_segment_of_the_first_value_that_the_attribute_equals() {
    let of = |attributes: Value| json!({ "id": "ada", "attributes": attributes });
    let experiment = json!({
        "audience": [{ "attribute": "plan", "operator": "equals", "values": ["pro"] }],
        "segments": { "attribute": "seats", "values": ["10", 10, true] },
    });
    assert_eq!(entry(&experiment, of(json!({ "plan": "pro", "seats": "10" }))).as_deref(), Some("checkout/1"));
    assert_eq!(entry(&experiment, of(json!({ "plan": "pro", "seats": 10 }))).as_deref(), Some("checkout/2"));
    assert_eq!(entry(&experiment, of(json!({ "plan": "pro", "seats": true }))).as_deref(), Some("checkout/3"));
    assert_eq!(entry(&experiment, of(json!({ "plan": "pro", "seats": 11 }))).as_deref(), Some("checkout"));
    assert_eq!(entry(&experiment, of(json!({ "plan": "pro" }))).as_deref(), Some("checkout"));
    assert_eq!(entry(&experiment, of(json!({ "plan": "free", "seats": 10 }))), None);
    assert_eq!(entry(&json!({}), of(json!({ "seats": 10 }))).as_deref(), Some("checkout"));
}
