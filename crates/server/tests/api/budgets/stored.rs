//! What an earlier release stored beyond the budgets is served, may be switched off and on, and may become less.

use macro_rules_attribute::apply;
use serde_json::json;

use super::patterns::patterns;
use crate::fixture::{Server, on_default_database, rule, targeting, targeting_of};

#[apply(on_default_database)]
async fn rules_beyond_the_budgets_are_served_and_may_be_switched_and_become_fewer_but_not_more(database: Database) {
    let server = Server::start(&database).await;
    let many =
        |count: usize| patterns("[ab]*", count).iter().map(|one| rule(std::slice::from_ref(one))).collect::<Vec<_>>();
    server.write_without_gate("reviews", "staging", &targeting(&many(60))).await;
    let user = json!({ "id": "alice", "attributes": { "plan": "abba59" } });
    let value = async || server.browser("staging").load(&user).await.features["reviews"].clone();
    assert_eq!(value().await, "on");
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    for (enabled, variant) in [(false, "off"), (true, "on")] {
        editor.patch(&path, &json!({ "enabled": enabled })).await.ok(200);
        assert_eq!(value().await, variant);
    }
    assert_eq!(editor.put(&path, &targeting(&many(61))).await.pointers(), ["/rules"]);
    editor.put(&path, &targeting(&many(60)[1..])).await.ok(200);
    assert_eq!(editor.put(&path, &targeting(&many(60))).await.pointers(), ["/rules"], "59 were left");
    let preview = json!({ "user": user, "targeting": targeting(&many(55)) });
    server.read_only().post(&format!("{path}/preview"), &preview).await.ok(200);
}

#[apply(on_default_database)]
async fn a_server_starts_on_rules_beyond_the_budgets(database: Database) {
    let server = Server::start(&database).await;
    let many: Vec<_> = patterns("[ab]*", 700).iter().map(|one| rule(std::slice::from_ref(one))).collect();
    server.write_without_gate("reviews", "staging", &targeting(&many)).await;
    server.stop().await;
    let server = Server::start(&database).await;
    let user = json!({ "id": "alice", "attributes": { "plan": "b699" } });
    assert_eq!(server.browser("staging").load(&user).await.features["reviews"], "on");
}
