//! The conditions of a saved audience count in each rule that uses it.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::patterns::{PATTERNS, patterns};
use crate::fixture::{Caller, Server, condition, on_default_database, project, rule, targeting, targeting_of};

fn using(audience: &str) -> Value {
    json!({ "name": "Saved", "audienceKey": audience, "splits": [{ "variantKey": "on", "percentage": 100 }] })
}

async fn save(caller: &Caller, key: &str, conditions: &[Value]) {
    let audience = json!({ "key": key, "name": "Many", "conditions": conditions });
    caller.post(&project("/audiences"), &audience).await.ok(201);
}

#[apply(on_default_database)]
async fn an_audience_has_the_budgets_of_a_targeting(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let many = json!({ "key": "many", "name": "Many", "conditions": patterns("a", PATTERNS + 1) });
    let refused = editor.post(&project("/audiences"), &many).await;
    assert_eq!(refused.pointers(), ["/conditions"]);
    assert!(refused.text.contains("an audience may have 50 conditions with `matches`"), "{}", refused.text);
    save(&editor, "many", &patterns("a", PATTERNS)).await;
    let edit = json!({ "conditions": patterns("a", PATTERNS + 1) });
    assert_eq!(editor.patch(&project("/audiences/many"), &edit).await.pointers(), ["/conditions"]);
}

#[apply(on_default_database)]
async fn the_conditions_of_an_audience_count_in_each_rule_that_uses_it(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    save(&editor, "many", &patterns("a", 20)).await;
    editor.put(&path, &targeting(&[using("many"), using("many"), rule(&patterns("b", 10))])).await.ok(200);
    let refused = editor.put(&path, &targeting(&[using("many"), using("many"), rule(&patterns("b", 11))])).await;
    assert_eq!(refused.pointers(), ["/rules"]);
    assert!(refused.text.contains("there are 51"), "{}", refused.text);
}

#[apply(on_default_database)]
async fn an_audience_edit_that_takes_a_targeting_over_its_budget_is_refused_with_the_place(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    save(&editor, "many", &patterns("a", 20)).await;
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[using("many"), using("many")])).await.ok(200);
    let before = server.stored_rows().await;
    let refused = editor.patch(&project("/audiences/many"), &json!({ "conditions": patterns("a", 26) })).await;
    assert_eq!(refused.pointers(), ["/conditions"]);
    for word in ["'staging'", "'reviews'", "there are 52"] {
        assert!(refused.text.contains(word), "{word} in {}", refused.text);
    }
    server.assert_unchanged_since(&before).await;
    editor.patch(&project("/audiences/many"), &json!({ "conditions": patterns("a", 25) })).await.ok(200);
}

/// A condition on a list of countries that takes about this many bytes of JSON.
fn long_list(bytes: usize) -> Value {
    condition("country", "in", (0..bytes / 10).map(|number| json!(format!("{number:07}"))).collect())
}

#[apply(on_default_database)]
async fn the_values_of_an_audience_count_in_each_rule_that_uses_it(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    save(&editor, "long", &[long_list(300_000)]).await;
    let before = server.stored_rows().await;
    let refused = editor.put(&path, &targeting(&vec![using("long"); 4])).await;
    assert_eq!(refused.pointers(), ["/rules"]);
    assert!(refused.text.contains("may have 1024 KB together"), "{}", refused.text);
    server.assert_unchanged_since(&before).await;
    editor.put(&path, &targeting(&vec![using("long"); 3])).await.ok(200);

    let refused = editor.patch(&project("/audiences/long"), &json!({ "conditions": [long_list(400_000)] })).await;
    assert_eq!(refused.pointers(), ["/conditions"]);
    for word in ["'staging'", "'reviews'", "1024 KB"] {
        assert!(refused.text.contains(word), "{word} in {}", refused.text);
    }
    // What is stored beyond the limit may become less.
    server.write_without_gate("reviews", "staging", &targeting(&vec![using("long"); 5])).await;
    assert_eq!(editor.put(&path, &targeting(&vec![using("long"); 6])).await.pointers(), ["/rules"]);
    editor.patch(&path, &json!({ "enabled": false })).await.ok(200);
    editor.put(&path, &targeting(&vec![using("long"); 4])).await.ok(200);
}
