//! A dry run predicts the results of a copy and changes nothing.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{ALL, SUBSETS, differ, path, request, require_approval, results, target, targeted};
use crate::fixture::{Server, everyone, features, on_default_database, targeting, targeting_of};

/// A request with a feature for every outcome.
async fn request_with_all_outcomes(server: &Server) -> Value {
    let administrator = server.administrator();
    differ(server).await;
    for feature in ["new-checkout", "gift-cards", "loyalty-points", "sticky-basket"] {
        target(server, feature, "staging", &targeting(&[everyone("off"), everyone("on")])).await;
    }
    target(server, "winter-sale", "staging", &targeting(&[everyone("on")])).await;
    target(server, "winter-sale", "production", &targeting(&[everyone("on")])).await;
    require_approval(server, "gift-cards").await;
    require_approval(server, "loyalty-points").await;
    let edit = json!({ "rules": [everyone("on"), everyone("off")] });
    administrator.patch(&targeting_of("loyalty-points", "production"), &edit).await.ok(202);
    administrator.patch(&features("/sticky-basket"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    target(
        server,
        "recommendations",
        "staging",
        &targeting(&[
            json!({ "name": "Testers", "audienceKey": "staging-testers", "splits": everyone("on")["splits"] }),
        ]),
    )
    .await;
    let keys = [
        "reviews",
        "nothing",
        "gift-cards",
        "loyalty-points",
        "sticky-basket",
        "winter-sale",
        "recommendations",
        "reviews",
        "new-checkout",
    ];
    let mut request = request(&keys, &ALL);
    request["targetVersions"] = json!({ "new-checkout": 0 });
    request
}

/// A result without the version and the approval id, which only a real copy has.
fn without_copy_fields(mut result: Value) -> Value {
    let fields = result.as_object_mut().unwrap();
    fields.remove("version");
    fields.remove("approvalId");
    result
}

#[apply(on_default_database)]
async fn a_dry_run_predicts_the_copy_and_neither_changes_anything_nor_requests_approval(database: Database) {
    let server = Server::start(&database).await;
    let mut request = request_with_all_outcomes(&server).await;
    request["dryRun"] = json!(true);
    let before = server.stored_rows().await;
    let predicted = results(&server.production_editor(), &request).await;
    server.assert_unchanged_since(&before).await;
    let shown: Vec<_> = predicted
        .iter()
        .map(|result| json!([result["featureKey"], result["outcome"], result["reason"]["code"]]))
        .collect();
    let expected = [
        json!(["reviews", "APPLIED", null]),
        json!(["nothing", "SKIPPED", "unknownFeature"]),
        json!(["gift-cards", "PENDING_APPROVAL", null]),
        json!(["loyalty-points", "SKIPPED", "pendingApproval"]),
        json!(["sticky-basket", "SKIPPED", "archived"]),
        json!(["winter-sale", "SKIPPED", "identical"]),
        json!(["recommendations", "APPLIED", null]),
        json!(["new-checkout", "SKIPPED", "targetChanged"]),
    ];
    assert_eq!(shown, expected);
    assert!(
        predicted.iter().all(|result| result.get("version").is_none() && result.get("approvalId").is_none()),
        "{predicted:?}"
    );
    assert_eq!(predicted[6]["audiencesCopiedInline"], json!(["staging-testers"]));
    assert_eq!(predicted[2]["approvalReasons"][0]["gate"], "feature");

    request["dryRun"] = json!(false);
    let copied = results(&server.production_editor(), &request).await;
    assert!(copied[0]["version"].is_u64() && copied[2]["approvalId"].is_string(), "{copied:?}");
    assert_eq!(copied.into_iter().map(without_copy_fields).collect::<Vec<_>>(), predicted);
}

#[apply(on_default_database)]
async fn a_dry_run_of_each_selection_of_settings_predicts_the_copy(database: Database) {
    let server = Server::start(&database).await;
    for selected in SUBSETS {
        let (source, _) = differ(&server).await;
        let mut partly = source.clone();
        partly["rules"] = json!([]);
        target(&server, "reviews", "production", &partly).await;
        let mut request = request(&["reviews"], selected);
        request["dryRun"] = json!(true);
        let predicted = results(&server.production_editor(), &request).await;
        let outcome = if selected.contains(&"rules") { "APPLIED" } else { "SKIPPED" };
        assert_eq!(predicted[0]["outcome"], outcome, "{selected:?}");
        assert_ne!(targeted(&server, "reviews", "production").await, source);
        request["dryRun"] = json!(false);
        let copied = results(&server.production_editor(), &request).await;
        assert_eq!(copied.into_iter().map(without_copy_fields).collect::<Vec<_>>(), predicted, "{selected:?}");
    }
}

/// A dry run has no effect that could be repeated, so its key stays unused.
#[apply(on_default_database)]
async fn a_dry_run_is_repeated_each_time_and_does_not_use_up_its_idempotency_key(database: Database) {
    let server = Server::start(&database).await;
    let (source, _) = differ(&server).await;
    let caller = server.production_editor();
    let mut request = request(&["reviews"], &ALL);
    request["dryRun"] = json!(true);
    let before = server.stored_rows().await;
    let predicted = caller.post_once(&path(), "key", &request).await.ok(200);
    assert_eq!(predicted["results"][0]["outcome"], "APPLIED");
    server.assert_unchanged_since(&before).await;
    target(&server, "reviews", "production", &source).await;
    let predicted = caller.post_once(&path(), "key", &request).await.ok(200);
    assert_eq!(predicted["results"][0]["reason"]["code"], "identical");
    request["dryRun"] = json!(false);
    caller.post_once(&path(), "key", &request).await.ok(200);
}
