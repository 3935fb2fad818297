//! A copy stays within the budgets of the target: a feature that would exceed one is skipped, with the reason.

use macro_rules_attribute::apply;
use serde_json::json;

use super::patterns::patterns;
use crate::fixture::{Server, on_default_database, project, rule, targeting};

#[apply(on_default_database)]
async fn a_feature_whose_copy_would_exceed_a_budget_is_skipped_with_the_reason(database: Database) {
    let server = Server::start(&database).await;
    // As an earlier release stored it.
    server.write_without_gate("reviews", "development", &targeting(&[rule(&patterns("a", 60))])).await;
    for dry_run in [true, false] {
        let request = json!({
            "source": "development", "target": "staging", "featureKeys": ["reviews", "gift-cards"],
            "settings": { "enabled": true, "rules": true }, "dryRun": dry_run,
        });
        let results = server.editor().post(&project("/environments/copy"), &request).await.ok(200)["results"].clone();
        assert_eq!([&results[0]["outcome"], &results[0]["reason"]["code"]], ["SKIPPED", "invalid"], "{results}");
        let detail = results[0]["reason"]["detail"].as_str().unwrap();
        assert!(detail.contains("there are 60"), "{detail}");
        assert_eq!(results[1]["reason"]["code"], "identical", "{results}");
    }
}
