//! A clock that was ahead and is set back, as a time server does: nothing waits for the clock to catch up.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, at, eventually, on_default_database, project, targeting_of};

#[apply(on_default_database)]
async fn a_change_that_is_scheduled_afterwards_is_made_at_its_time(database: Database) {
    let server = Server::start(&database).await;
    server.clock.set(at("2026-11-21T09:00:00Z"));
    let (editor, path) = (server.editor(), targeting_of("reviews", "staging"));
    let edit = json!({ "enabled": false, "scheduledFor": "2026-11-21T09:30:00Z" });
    let scheduled = editor.patch(&path, &edit).await.ok(202);
    server.clock.set(at("2026-11-21T09:30:00Z"));
    let change = project(&format!("/approvals/{}", scheduled["id"].as_str().unwrap()));
    eventually("the change is made", async || editor.get(&change).await.ok(200)["state"] == "approved").await;
    assert_eq!(editor.get(&path).await.ok(200)["enabled"], false);
}
