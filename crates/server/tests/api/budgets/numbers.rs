//! How many rules, splits, variants and tags there may be. What an earlier release stored beyond that may stay, or become less.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, everyone, features, on_default_database, on_each_database, targeting, targeting_of};

/// The limits of `docs/operation.md`.
const RULES: usize = 500;
const SPLITS: usize = 100;
const VARIANTS: usize = 100;
const TAGS: usize = 50;

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

fn tags(count: usize) -> Value {
    (0..count).map(|number| json!(format!("tag {number}"))).collect()
}

#[apply(on_each_database)]
async fn a_feature_has_as_many_tags_as_the_limit_says_and_each_once(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), features("/reviews"));
    let new = |tags: Value| json!({ "key": "tagged", "name": "Tagged", "tags": tags });
    let edit = |tags: &Value| json!({ "tags": tags });
    let refused = editor.post(&features(""), &new(tags(TAGS + 1))).await;
    assert_eq!(refused.pointers(), ["/tags"]);
    assert!(refused.text.contains("at most 50 tags"), "{}", refused.text);
    assert_eq!(editor.post(&features(""), &new(json!(["a", "b", "a"]))).await.pointers(), ["/tags/2"]);
    editor.post(&features(""), &new(tags(TAGS))).await.ok(201);
    assert_eq!(editor.patch(&path, &edit(&tags(TAGS + 1))).await.pointers(), ["/tags"]);
    assert_eq!(editor.patch(&path, &edit(&json!(["a", "a"]))).await.pointers(), ["/tags/1"]);

    // An earlier release has stored more.
    let mut stored = tags(TAGS + 2);
    stored[1] = json!("tag 0");
    let mut write = server.app.begin().await.unwrap();
    sqlx::query("UPDATE features SET tags = $1 WHERE key = 'reviews'")
        .bind(stored.to_string())
        .execute(write.connection().await.unwrap())
        .await
        .unwrap();
    server.app.commit(write).await.unwrap();
    editor.patch(&path, &json!({ "name": "Opinions", "tags": stored })).await.ok(200);
    assert_eq!(editor.patch(&path, &edit(&tags(TAGS + 3))).await.pointers(), ["/tags"]);
    editor.patch(&path, &edit(&tags(TAGS + 1))).await.ok(200);
}

#[apply(on_default_database)]
async fn who_may_not_change_production_is_told_so_before_the_rules_are_validated(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("reviews", "production");
    server.editor().put(&path, &rules(RULES + 1)).await.problem(403, "forbidden");
    server.production_editor().put(&path, &rules(RULES + 1)).await.problem(422, "invalid");
}
