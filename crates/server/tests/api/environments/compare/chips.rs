//! The chips of a row with label and data, and names with special characters.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{compare_staging_with_production, path, row, target};
use crate::fixture::{
    Server, condition, environment, everyone, features, on_default_database, on_each_database, project, rule, split,
    targeting, targeting_of,
};

const ODD: &str = "\"quoted\" 'n' \\ two\nlines \u{200f}ימין\u{202e} \u{1f600}\u{1f468}\u{200d}\u{1f469}";

fn phase(environment: &str, approval: bool) -> Value {
    json!({ "name": "Phase", "environmentKey": environment, "approvalRequired": approval })
}

/// Assigns the feature to a new pipeline with these phases.
async fn assign(server: &Server, feature: &str, (key, name): (&str, &str), phases: &[Value]) {
    let pipeline = json!({ "key": key, "name": name, "phases": phases });
    server.administrator().post(&project("/pipelines"), &pipeline).await.ok(201);
    let edit = json!({ "pipelineKey": key });
    server.administrator().patch(&features(&format!("/{feature}")), &edit).await.ok(200);
}

/// A rule for a saved audience.
fn audience_rule(key: &str) -> Value {
    json!({ "name": "Some", "audienceKey": key, "splits": everyone("on")["splits"] })
}

async fn save_audience(server: &Server, key: &str, name: &str, environment: Option<&str>) {
    let mut audience = json!({ "key": key, "name": name, "conditions": [condition("plan", "equals", json!([key]))] });
    if let Some(environment) = environment {
        audience["environmentKey"] = json!(environment);
    }
    server.administrator().post(&project("/audiences"), &audience).await.ok(201);
}

#[apply(on_default_database)]
async fn a_feature_without_notes_has_no_chip(database: Database) {
    let server = Server::start(&database).await;
    target(&server, "reviews", &targeting(&[everyone("on")]), &targeting(&[])).await;
    assert_eq!(row(&compare_staging_with_production(&server.read_only()).await, "reviews")["chips"], json!({}));
}

#[apply(on_default_database)]
async fn a_feature_of_a_pipeline_has_a_chip_with_the_pipelines_name(database: Database) {
    let server = Server::start(&database).await;
    assign(&server, "reviews", ("release", "Weekly release"), &[phase("staging", false)]).await;
    let comparison = compare_staging_with_production(&server.read_only()).await;
    let chip = json!({ "label": "Pipeline: Weekly release", "key": "release", "name": "Weekly release" });
    assert_eq!(row(&comparison, "reviews")["chips"], json!({ "pipeline": chip }));
    assert_eq!(row(&comparison, "gift-cards")["chips"]["pipeline"], Value::Null);
}

/// The `Approval required` chip with these reasons.
fn approval(reasons: &[&str]) -> Value {
    json!({ "label": "Approval required", "reasons": reasons })
}

#[apply(on_default_database)]
async fn the_approval_required_chip_names_environment_feature_and_phase_of_the_target(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    assign(&server, "reviews", ("gated", "Gated"), &[phase("staging", false), phase("production", true)]).await;
    assign(&server, "loyalty-points", ("other", "Other"), &[phase("staging", true), phase("production", false)]).await;
    administrator.patch(&features("/gift-cards"), &json!({ "approvalRequired": true })).await.ok(200);
    let chip = |comparison: &Value, feature: &str| row(comparison, feature)["chips"]["approvalRequired"].clone();

    let comparison = compare_staging_with_production(&server.read_only()).await;
    assert_eq!(chip(&comparison, "reviews"), approval(&["phase"]));
    assert_eq!(chip(&comparison, "gift-cards"), approval(&["feature"]));
    // The phase in the source requires approval, but nothing is copied there.
    assert_eq!(chip(&comparison, "loyalty-points"), Value::Null);
    let back = server.read_only().get(&path("production", "staging")).await.ok(200);
    assert_eq!(chip(&back, "loyalty-points"), approval(&["phase"]));
    assert_eq!(chip(&back, "reviews"), Value::Null);

    administrator.patch(&environment("production", ""), &json!({ "approvalRequired": true })).await.ok(200);
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let comparison = compare_staging_with_production(&server.read_only()).await;
    assert_eq!(chip(&comparison, "reviews"), approval(&["environment", "feature", "phase"]));
    assert_eq!(chip(&comparison, "gift-cards"), approval(&["environment", "feature"]));
    assert_eq!(chip(&comparison, "loyalty-points"), approval(&["environment"]));
}

#[apply(on_default_database)]
async fn the_audience_copied_inline_chip_names_audiences_that_only_the_source_has(database: Database) {
    let server = Server::start(&database).await;
    save_audience(&server, "wide", "Everywhere", None).await;
    save_audience(&server, "z-staging", "Testers", Some("staging")).await;
    save_audience(&server, "a-staging", "Crew", Some("staging")).await;
    save_audience(&server, "of-production", "Customers", Some("production")).await;
    let staging = ["z-staging", "wide", "a-staging", "z-staging"].map(audience_rule);
    target(&server, "reviews", &targeting(&staging), &targeting(&[audience_rule("of-production")])).await;
    target(&server, "gift-cards", &targeting(&[audience_rule("wide")]), &targeting(&[])).await;
    let inline = |audiences: Value| json!({ "label": "Audience copied inline", "audiences": audiences });

    let comparison = compare_staging_with_production(&server.read_only()).await;
    let expected = inline(json!([{ "key": "z-staging", "name": "Testers" }, { "key": "a-staging", "name": "Crew" }]));
    assert_eq!(row(&comparison, "reviews")["chips"]["audiencesCopiedInline"], expected);
    assert_eq!(row(&comparison, "gift-cards")["chips"], json!({}));
    let back = server.read_only().get(&path("production", "staging")).await.ok(200);
    let expected = inline(json!([{ "key": "of-production", "name": "Customers" }]));
    assert_eq!(row(&back, "reviews")["chips"]["audiencesCopiedInline"], expected);
}

#[apply(on_default_database)]
async fn the_cannot_copy_chip_names_a_pending_change_in_the_target_but_not_in_the_source(database: Database) {
    let server = Server::start(&database).await;
    target(&server, "reviews", &targeting(&[everyone("on")]), &targeting(&[])).await;
    server.administrator().patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let edit = json!({ "enabled": false });
    let pending = server.production_editor().patch(&targeting_of("reviews", "production"), &edit).await.ok(202);

    let chip =
        row(&compare_staging_with_production(&server.read_only()).await, "reviews")["chips"]["cannotCopy"].clone();
    let reason = "A change is already pending approval in the target for this feature.";
    let expected =
        json!({ "label": "Cannot copy", "code": "pendingApproval", "reason": reason, "approvalId": pending["id"] });
    assert_eq!(chip, expected);
    let back = server.read_only().get(&path("production", "staging")).await.ok(200);
    assert_eq!(row(&back, "reviews")["chips"]["cannotCopy"], Value::Null);

    let cancelled = project(&format!("/approvals/{}/cancel", pending["id"].as_str().unwrap()));
    server.administrator().post(&cancelled, &json!({})).await.ok(200);
    assert_eq!(
        row(&compare_staging_with_production(&server.read_only()).await, "reviews")["chips"]["cannotCopy"],
        Value::Null
    );
}

#[apply(on_each_database)]
async fn the_changes_scheduled_chip_names_the_changes_of_the_target_that_a_copy_makes_stale(database: Database) {
    let server = Server::start(&database).await;
    target(&server, "reviews", &targeting(&[everyone("on")]), &targeting(&[])).await;
    let (editor, production) = (server.production_editor(), targeting_of("reviews", "production"));
    let schedule = async |when: &str, percent: f64| {
        let edit = json!({ "rules": [split(percent, 100.0 - percent)], "scheduledFor": when });
        let scheduled = editor.patch(&production, &edit).await.ok(202);
        json!({ "approvalId": scheduled["id"], "scheduledFor": when })
    };
    let first = schedule("2026-11-21T11:00:00Z", 20.0).await;
    server.administrator().patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let second = schedule("2026-11-21T12:00:00Z", 40.0).await;
    server.administrator().patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);

    let chips = row(&compare_staging_with_production(&server.read_only()).await, "reviews")["chips"].clone();
    let expected = json!({ "changesScheduled": { "label": "Changes scheduled", "changes": [first, second] } });
    assert_eq!(chips, expected);
    let back = server.read_only().get(&path("production", "staging")).await.ok(200);
    assert_eq!(row(&back, "reviews")["chips"], json!({}));

    // A copy makes both stale.
    let settings = json!({ "rules": true });
    let copy = json!({ "source": "staging", "target": "production", "featureKeys": ["reviews"], "settings": settings });
    let copied = editor.post(&environment("copy", ""), &copy).await.ok(200);
    assert_eq!(copied["results"][0]["outcome"], "APPLIED");
    let stale = project(&format!("/approvals/{}", first["approvalId"].as_str().unwrap()));
    assert!(editor.get(&stale).await.ok(200)["stale"].is_object());
}

#[apply(on_default_database)]
async fn names_with_special_characters_are_returned_unchanged(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let named = json!({ "name": ODD });
    for resource in [environment("staging", ""), environment("production", ""), features("/reviews")] {
        administrator.patch(&resource, &named).await.ok(200);
    }
    assign(&server, "reviews", ("odd", ODD), &[json!({ "name": "Try", "environmentKey": "staging" })]).await;
    save_audience(&server, "odd", ODD, Some("staging")).await;
    let mut odd = rule(&[condition(ODD, "equals", json!([ODD]))]);
    odd["name"] = json!(ODD);
    target(&server, "reviews", &targeting(&[odd.clone(), audience_rule("odd")]), &targeting(&[])).await;

    let comparison = compare_staging_with_production(&server.read_only()).await;
    let row = row(&comparison, "reviews");
    let chips = &row["chips"];
    for name in [
        &comparison["source"]["name"],
        &comparison["target"]["name"],
        &row["name"],
        &chips["pipeline"]["name"],
        &chips["audiencesCopiedInline"]["audiences"][0]["name"],
    ] {
        assert_eq!(name, ODD);
    }
    assert_eq!(chips["pipeline"]["label"], format!("Pipeline: {ODD}"));
    assert_eq!(row["source"]["rules"][0], odd);
    let mut read = administrator.get(&targeting_of("reviews", "staging")).await.ok(200);
    read.as_object_mut().unwrap().remove("served").unwrap();
    assert_eq!(row["source"], read);
}
