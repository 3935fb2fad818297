//! `/api/v1/projects/{projectKey}/environments/copy`: one outcome for each requested feature, copied completely or not at all.

mod applied;
mod approval;
mod audiences;
mod concurrency;
mod dry_run;
mod idempotency;
mod matrix;
mod meanwhile;
mod names;
mod rejected;
mod skipped;
mod users;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Caller, Server, condition, environment, everyone, features, on_default_database, on_each_database, project, rule,
    split, targeting, targeting_of,
};

/// The three settings.
const ALL: [&str; 3] = ["enabled", "offVariantKey", "rules"];

/// Every selection of at least one setting.
const SUBSETS: [&[&str]; 7] = [
    &["enabled"],
    &["offVariantKey"],
    &["rules"],
    &["enabled", "offVariantKey"],
    &["enabled", "rules"],
    &["offVariantKey", "rules"],
    &["enabled", "offVariantKey", "rules"],
];

fn path() -> String {
    environment("copy", "")
}

/// The `settings` of a request.
fn settings(selected: &[&str]) -> Value {
    selected.iter().map(|setting| ((*setting).to_owned(), json!(true))).collect()
}

/// A request to copy from staging to production.
fn request(features: &[&str], selected: &[&str]) -> Value {
    json!({ "source": "staging", "target": "production", "featureKeys": features, "settings": settings(selected) })
}

/// The results of a request.
async fn results(caller: &Caller, request: &Value) -> Vec<Value> {
    let response = caller.post(&path(), request).await.ok(200);
    assert_eq!(response["dryRun"], request["dryRun"] == true, "{response}");
    response["results"].as_array().unwrap_or_else(|| panic!("results of {response}")).clone()
}

/// The result of a copy of all settings of one feature.
async fn copy(caller: &Caller, feature: &str) -> Value {
    let mut results = results(caller, &request(&[feature], &ALL)).await;
    assert_eq!(results.len(), 1, "{results:?}");
    results.remove(0)
}

fn applied(feature: &str, replaced: u64, version: u64) -> Value {
    json!({
        "featureKey": feature, "outcome": "APPLIED", "version": version, "replacedVersion": replaced,
        "audiencesCopiedInline": [],
    })
}

fn skipped(feature: &str, code: &str, detail: &str) -> Value {
    let reason = json!({ "code": code, "detail": detail });
    json!({ "featureKey": feature, "outcome": "SKIPPED", "reason": reason, "audiencesCopiedInline": [] })
}

/// The targeting of a feature, as it is written.
async fn targeted(server: &Server, feature: &str, environment: &str) -> Value {
    let mut read = server.read_only().get(&targeting_of(feature, environment)).await.ok(200);
    for derived in ["version", "served"] {
        read.as_object_mut().unwrap().remove(derived).unwrap();
    }
    read
}

/// Sets the targeting of a feature in an environment.
async fn target(server: &Server, feature: &str, environment: &str, targeting: &Value) {
    server.administrator().put(&targeting_of(feature, environment), targeting).await.ok(200);
}

/// Makes the targeting of `reviews` differ in all settings, and returns it as read from staging and from production.
async fn differ(server: &Server) -> (Value, Value) {
    let source = json!({ "enabled": true, "offVariantKey": "on", "rules": [swedes()] });
    let goal = json!({ "enabled": false, "offVariantKey": "off", "rules": [split(20.0, 80.0)] });
    target(server, "reviews", "staging", &source).await;
    target(server, "reviews", "production", &goal).await;
    (targeted(server, "reviews", "staging").await, targeted(server, "reviews", "production").await)
}

fn swedes() -> Value {
    rule(&[condition("country", "equals", json!(["SE"]))])
}

/// The version of an environment.
async fn version(server: &Server, environment: &str) -> u64 {
    let list = server.read_only().get(&project("/environments")).await.items();
    list.iter().find(|item| item["key"] == environment).unwrap()["version"].as_u64().unwrap()
}

/// The labels of the differences of a feature between staging and production.
async fn differences(server: &Server, feature: &str) -> Value {
    let path = environment("compare", "?source=staging&target=production");
    let comparison = server.read_only().get(&path).await.ok(200);
    let rows = comparison["features"].as_array().unwrap();
    rows.iter().find(|row| row["key"] == feature).unwrap()["differences"].clone()
}

/// Requires approval for every change of the feature.
async fn require_approval(server: &Server, feature: &str) {
    let path = features(&format!("/{feature}"));
    server.administrator().patch(&path, &json!({ "approvalRequired": true })).await.ok(200);
}

#[apply(on_default_database)]
async fn a_copy_without_a_gate_is_applied_and_the_target_equals_the_source(database: Database) {
    let server = Server::start(&database).await;
    let (source, _) = differ(&server).await;
    let (staging, production) = (version(&server, "staging").await, version(&server, "production").await);
    let response = server.production_editor().post(&path(), &request(&["reviews"], &ALL)).await;
    let expected = json!({ "dryRun": false, "results": [applied("reviews", production, production + 1)] });
    assert_eq!(response.ok(200), expected);
    assert_eq!(response.header("etag"), None);
    let read = server.read_only().get(&targeting_of("reviews", "production")).await.ok(200);
    assert_eq!(read["version"], json!(production + 1));
    assert_eq!(targeted(&server, "reviews", "production").await, source);
    assert_eq!(targeted(&server, "reviews", "staging").await, source, "the source is unchanged");
    assert_eq!((version(&server, "staging").await, version(&server, "production").await), (staging, production + 1));
}

#[apply(on_default_database)]
async fn settings_that_are_not_selected_keep_the_values_of_the_target(database: Database) {
    let server = Server::start(&database).await;
    for selected in SUBSETS {
        let (source, before) = differ(&server).await;
        let outcome = &results(&server.production_editor(), &request(&["reviews"], selected)).await[0];
        assert_eq!(outcome["outcome"], "APPLIED", "{outcome}");
        let after = targeted(&server, "reviews", "production").await;
        for setting in ALL {
            let from = if selected.contains(&setting) { &source } else { &before };
            assert_eq!(after[setting], from[setting], "{setting} of {selected:?}");
        }
    }
}

#[apply(on_default_database)]
async fn after_an_applied_copy_a_comparison_shows_no_difference_in_the_selected_settings(database: Database) {
    const LABELS: [(&str, &str); 3] =
        [("enabled", "On/off state"), ("offVariantKey", "Off variant"), ("rules", "Targeting rules")];
    let server = Server::start(&database).await;
    for selected in SUBSETS {
        differ(&server).await;
        assert_eq!(differences(&server, "reviews").await, json!(["On/off state", "Off variant", "Targeting rules"]));
        results(&server.production_editor(), &request(&["reviews"], selected)).await;
        let left = LABELS.iter().filter(|(setting, _)| !selected.contains(setting)).map(|(_, label)| *label);
        assert_eq!(differences(&server, "reviews").await, json!(left.collect::<Vec<_>>()), "{selected:?}");
        let again = &results(&server.production_editor(), &request(&["reviews"], selected)).await[0];
        assert_eq!(again["reason"]["code"], "identical", "{selected:?}");
    }
}

#[apply(on_each_database)]
async fn every_requested_feature_has_one_outcome_in_request_order_even_if_listed_twice(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    target(&server, "gift-cards", "staging", &targeting(&[everyone("on")])).await;
    target(&server, "gift-cards", "production", &targeting(&[])).await;
    require_approval(&server, "gift-cards").await;
    let before = version(&server, "production").await;
    let keys = ["winter-sale", "reviews", "nothing", "gift-cards", "reviews", "nothing", "winter-sale"];
    let found = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let shown: Vec<_> = found.iter().map(|result| json!([result["featureKey"], result["outcome"]])).collect();
    let expected = [
        json!(["winter-sale", "SKIPPED"]),
        json!(["reviews", "APPLIED"]),
        json!(["nothing", "SKIPPED"]),
        json!(["gift-cards", "PENDING_APPROVAL"]),
    ];
    assert_eq!(shown, expected);
    assert_eq!(version(&server, "production").await, before + 1);
}

#[apply(on_default_database)]
async fn a_feature_without_targeting_is_copied_with_what_clients_get(database: Database) {
    let server = Server::start(&database).await;
    let identical = "Source and target are identical in the selected settings.";
    assert_eq!(copy(&server.production_editor(), "gift-cards").await, skipped("gift-cards", "identical", identical));
    target(&server, "gift-cards", "production", &targeting(&[everyone("on")])).await;
    assert_eq!(copy(&server.production_editor(), "gift-cards").await["outcome"], "APPLIED");
    let off = json!({ "enabled": false, "offVariantKey": "off", "rules": [] });
    assert_eq!(targeted(&server, "gift-cards", "production").await, off);
    let on = json!({ "source": "production", "target": "development" });
    target(&server, "gift-cards", "production", &targeting(&[everyone("on")])).await;
    let mut back = request(&["gift-cards"], &ALL);
    back.as_object_mut().unwrap().extend(on.as_object().unwrap().clone());
    assert_eq!(results(&server.editor(), &back).await[0]["outcome"], "APPLIED");
    assert_eq!(
        targeted(&server, "gift-cards", "development").await,
        targeted(&server, "gift-cards", "production").await
    );
}

#[apply(on_default_database)]
async fn copying_a_feature_in_a_pipeline_does_not_move_it_to_the_next_phase(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let phase = |key: &str| json!({ "name": key, "environmentKey": key, "approvalRequired": false });
    let phases = [phase("development"), phase("staging"), phase("production")];
    let new = json!({ "key": "release", "name": "Release", "phases": phases });
    administrator.post(&project("/pipelines"), &new).await.ok(201);
    administrator.patch(&features("/reviews"), &json!({ "pipelineKey": "release" })).await.ok(200);
    let (source, _) = differ(&server).await;
    let before = administrator.get(&features("/reviews")).await;
    assert_eq!(before.ok(200)["phase"]["environmentKey"], "development", "{}", before.text);
    assert_eq!(copy(&server.production_editor(), "reviews").await["outcome"], "APPLIED");
    assert_eq!(targeted(&server, "reviews", "production").await, source);
    let after = administrator.get(&features("/reviews")).await;
    assert_eq!((after.ok(200), after.etag()), (before.ok(200), before.etag()));
}
