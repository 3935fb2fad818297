//! Features that are skipped, each with its reason.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, applied, copy, differ, request, require_approval, results, skipped, target, version};
use crate::fixture::{Server, everyone, features, on_default_database, project, targeting, targeting_of};

const PENDING: &str = "A change is already pending approval in the target for this feature.";
const IDENTICAL: &str = "Source and target are identical in the selected settings.";
const UNKNOWN: &str = "There is no such feature in the project.";

/// Creates a pending change of `reviews` in production whose gate no longer exists.
async fn create_pending_change(server: &Server) {
    let administrator = server.administrator();
    require_approval(server, "reviews").await;
    let edit = json!({ "rules": [everyone("on"), everyone("off")] });
    administrator.patch(&targeting_of("reviews", "production"), &edit).await.ok(202);
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);
}

/// Asserts that a copy of `reviews` is skipped for this reason and nothing changes.
async fn assert_skipped(server: &Server, request: &Value, code: &str, detail: &str) {
    let before = server.stored_rows().await;
    assert_eq!(results(&server.production_editor(), request).await, [skipped("reviews", code, detail)]);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn a_missing_feature_is_reported_as_unknown(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    administrator.post("/api/v1/projects", &json!({ "key": "other", "name": "Other" })).await.ok(201);
    let new = json!({ "key": "of-other", "name": "Other" });
    administrator.post("/api/v1/projects/other/features", &new).await.ok(201);
    let before = server.stored_rows().await;
    let long = "k".repeat(5000);
    let keys = ["nothing", "of-other", "Reviews", "two words", "", "a\u{0}b", "\u{202e}\u{1f600}", "__proto__", &long];
    let found = results(&server.production_editor(), &request(&keys, &ALL)).await;
    let expected: Vec<_> = keys.iter().map(|key| skipped(key, "unknownFeature", UNKNOWN)).collect();
    assert_eq!(found, expected);
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn an_archived_feature_is_skipped_and_a_draft_is_copied(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let lifecycle = async |lifecycle: &str| {
        let edit = json!({ "lifecycle": lifecycle });
        server.administrator().patch(&features("/reviews"), &edit).await.ok(200);
    };
    lifecycle("Archived").await;
    assert_skipped(&server, &request(&["reviews"], &ALL), "archived", "The feature is archived.").await;
    lifecycle("Draft").await;
    assert_eq!(copy(&server.production_editor(), "reviews").await["outcome"], "APPLIED");
}

#[apply(on_default_database)]
async fn a_feature_with_a_pending_change_in_the_target_is_skipped_before_approval_is_considered(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    create_pending_change(&server).await;
    assert_skipped(&server, &request(&["reviews"], &ALL), "pendingApproval", PENDING).await;
    require_approval(&server, "reviews").await;
    assert_skipped(&server, &request(&["reviews"], &ALL), "pendingApproval", PENDING).await;
    // Only a pending change in the target matters.
    let mut elsewhere = request(&["reviews"], &ALL);
    elsewhere["target"] = json!("development");
    assert_eq!(results(&server.editor(), &elsewhere).await[0]["outcome"], "PENDING_APPROVAL");
}

#[apply(on_default_database)]
async fn a_target_that_changed_since_the_caller_saw_it_is_skipped(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let seen = version(&server, "production").await;
    let mut request = request(&["reviews"], &ALL);
    for other in [0, seen - 1, seen + 1, u64::MAX] {
        request["targetVersions"] = json!({ "reviews": other, "gift-cards": 1 });
        let detail = format!(
            "The target's targeting changed since you saw it and is at version {seen} now. Compare again, then decide."
        );
        assert_skipped(&server, &request, "targetChanged", &detail).await;
    }
    // A change of another feature does not matter.
    target(&server, "gift-cards", "production", &targeting(&[everyone("on")])).await;
    request["targetVersions"] = json!({ "reviews": seen });
    assert_eq!(results(&server.production_editor(), &request).await, [applied("reviews", seen, seen + 2)]);
}

#[apply(on_default_database)]
async fn a_source_that_changed_since_the_caller_saw_it_is_skipped(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let (seen, replaced) = (version(&server, "staging").await, version(&server, "production").await);
    let mut request = request(&["reviews"], &ALL);
    for other in [0, seen - 1, seen + 1, u64::MAX] {
        request["sourceVersions"] = json!({ "reviews": other, "gift-cards": 1 });
        let detail = format!(
            "The source's targeting changed since you saw it and is at version {seen} now. Compare again, then decide."
        );
        assert_skipped(&server, &request, "sourceChanged", &detail).await;
    }
    // A change of another feature does not matter.
    target(&server, "gift-cards", "staging", &targeting(&[everyone("on")])).await;
    request["sourceVersions"] = json!({ "reviews": seen });
    assert_eq!(results(&server.production_editor(), &request).await, [applied("reviews", replaced, replaced + 1)]);
}

#[apply(on_default_database)]
async fn a_feature_with_identical_selected_settings_is_skipped(database: Database) {
    let server = Server::start(&database).await;
    let (source, _) = differ(&server).await;
    for setting in ALL {
        target(&server, "reviews", "production", &source).await;
        let mut same = source.clone();
        // Names of audiences and rules do not matter.
        same["rules"][0]["name"] = json!("Called otherwise");
        target(&server, "reviews", "production", &same).await;
        assert_skipped(&server, &request(&["reviews"], &ALL), "identical", IDENTICAL).await;
        let mut other = source.clone();
        other[setting] = match setting {
            "enabled" => json!(false),
            "offVariantKey" => json!("off"),
            _ => json!([]),
        };
        target(&server, "reviews", "production", &other).await;
        let others: Vec<_> = ALL.into_iter().filter(|selected| *selected != setting).collect();
        assert_skipped(&server, &request(&["reviews"], &others), "identical", IDENTICAL).await;
        assert_eq!(copy(&server.production_editor(), "reviews").await["outcome"], "APPLIED", "{setting}");
    }
}

/// A rule such as an earlier release may have written.
fn audience_rule(key: &str) -> Value {
    json!({ "name": "Old", "audienceKey": key, "splits": everyone("on")["splits"] })
}

#[apply(on_default_database)]
async fn a_rule_with_a_missing_audience_cannot_be_copied_but_other_settings_can(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let of_production = json!({ "key": "of-production", "name": "Of production", "environmentKey": "production",
        "conditions": [] });
    server.administrator().post(&project("/audiences"), &of_production).await.ok(201);
    for key in ["gone", "of-production"] {
        server.write_without_gate("reviews", "staging", &targeting(&[audience_rule(key)])).await;
        let detail = format!(
            "A rule of the source uses the audience '{key}', which does not exist. Fix the rule, then copy again."
        );
        assert_skipped(&server, &request(&["reviews"], &ALL), "unknownAudience", &detail).await;
        assert_skipped(&server, &request(&["reviews"], &["rules"]), "unknownAudience", &detail).await;
    }
    let others = request(&["reviews"], &["enabled", "offVariantKey"]);
    assert_eq!(results(&server.production_editor(), &others).await[0]["outcome"], "APPLIED");
}

#[apply(on_default_database)]
async fn a_change_that_a_direct_edit_would_reject_is_skipped_with_the_violations(database: Database) {
    let server = Server::start(&database).await;
    differ(&server).await;
    let mut wrong = targeting(&[everyone("on")]);
    wrong["offVariantKey"] = json!("purple");
    server.write_without_gate("reviews", "staging", &wrong).await;
    let refused = server.administrator().put(&targeting_of("reviews", "production"), &wrong).await;
    assert_eq!(refused.pointers(), ["/offVariantKey"]);
    let detail = refused.ok(422)["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("purple"), "{detail}");
    let detail = format!("The target cannot have this targeting: {detail}");
    assert_skipped(&server, &request(&["reviews"], &ALL), "invalid", &detail).await;
    let others = request(&["reviews"], &["enabled", "rules"]);
    assert_eq!(results(&server.production_editor(), &others).await[0]["outcome"], "APPLIED");
}

/// The order is: archived, pending change, changed target, changed source, identical settings.
#[apply(on_default_database)]
async fn of_several_reasons_the_first_is_reported(database: Database) {
    let server = Server::start(&database).await;
    let (source, _) = differ(&server).await;
    target(&server, "reviews", "production", &source).await;
    let seen = version(&server, "production").await;
    let mut request = request(&["reviews"], &ALL);
    request["sourceVersions"] = json!({ "reviews": version(&server, "staging").await - 1 });
    assert_eq!(results(&server.production_editor(), &request).await[0]["reason"]["code"], "sourceChanged");
    request["targetVersions"] = json!({ "reviews": seen - 1 });
    let code = async || results(&server.production_editor(), &request).await[0]["reason"]["code"].clone();
    assert_eq!(code().await, "targetChanged");
    create_pending_change(&server).await;
    assert_eq!(code().await, "pendingApproval");
    server.administrator().patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(code().await, "archived");
}
