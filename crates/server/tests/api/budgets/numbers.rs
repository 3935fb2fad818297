//! How many rules, splits and variants there may be. What an earlier release stored beyond that may stay, or become less.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, everyone, features, on_default_database, targeting, targeting_of};

/// The limits of `docs/operation.md`.
const RULES: usize = 500;
const SPLITS: usize = 100;
const VARIANTS: usize = 100;

fn rules(count: usize) -> Value {
    targeting(&vec![everyone("on"); count])
}

fn variants(count: usize) -> Value {
    (0..count).map(|number| json!(format!("v{number}"))).collect()
}

#[apply(on_default_database)]
async fn a_targeting_has_as_many_rules_as_the_limit_says(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    let refused = editor.put(&path, &rules(RULES + 1)).await;
    assert_eq!(refused.pointers(), ["/rules"]);
    assert!(refused.text.contains("a targeting may have 500 rules; there are 501"), "{}", refused.text);
    let preview = json!({ "user": { "id": "alice" }, "targeting": rules(RULES + 1) });
    assert_eq!(editor.post(&format!("{path}/preview"), &preview).await.pointers(), ["/targeting/rules"]);
    editor.put(&path, &rules(RULES)).await.ok(200);

    server.write_without_gate("reviews", "staging", &rules(RULES + 2)).await;
    assert_eq!(editor.put(&path, &rules(RULES + 3)).await.pointers(), ["/rules"]);
    for enabled in [false, true] {
        editor.patch(&path, &json!({ "enabled": enabled })).await.ok(200);
    }
    editor.put(&path, &rules(RULES + 1)).await.ok(200);
}

#[apply(on_default_database)]
async fn a_feature_has_as_many_variants_and_a_rule_as_many_splits_as_the_limit_says(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let new = |count: usize| json!({ "key": "many", "name": "Many", "variants": variants(count) });
    let refused = editor.post(&features(""), &new(VARIANTS + 1)).await;
    assert_eq!(refused.pointers(), ["/variants"]);
    assert!(refused.text.contains("at most 100 variants"), "{}", refused.text);
    // None of them is `off`, so production serves one of them at once.
    server.production_editor().post(&features(""), &new(VARIANTS)).await.ok(201);
    let edit = json!({ "variants": variants(VARIANTS + 1) });
    assert_eq!(editor.patch(&features("/many"), &edit).await.pointers(), ["/variants"]);
    // A message names some of them.
    let path = targeting_of("many", "staging");
    let refused = editor.patch(&path, &json!({ "offVariantKey": "none" })).await;
    assert!(refused.text.contains("`v19` and 80 others"), "{}", refused.text);

    let split = |number: usize| json!({ "variantKey": format!("v{number}"), "percentage": 1 });
    let mut splits: Vec<_> = (0..SPLITS).map(split).collect();
    let rule = |splits: &[Value]| json!({ "enabled": true, "offVariantKey": "v0", "rules": [{ "name": "", "splits": splits }] });
    editor.put(&path, &rule(&splits)).await.ok(200);
    splits.push(split(0));
    let refused = editor.put(&path, &rule(&splits)).await;
    assert_eq!(refused.pointers(), ["/rules/0/splits"]);
    assert!(refused.text.contains("a rule may have 100 splits"), "{}", refused.text);
}

#[apply(on_default_database)]
async fn who_may_not_change_production_is_told_so_before_the_rules_are_validated(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "production");
    server.editor().put(&path, &rules(RULES + 1)).await.problem(403, "forbidden");
    server.production_editor().put(&path, &rules(RULES + 1)).await.problem(422, "invalid");
}
