//! Break-glass: a production editor switches targeting off at once, where an approval is required or pending, and says why.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{Server, environment, everyone, on_default_database, on_each_database, project, targeting_of};

fn break_glass(feature: &str, place: &str) -> String {
    format!("{}/break-glass", targeting_of(feature, place))
}

#[apply(on_each_database)]
async fn a_production_editor_switches_off_at_once_where_an_approval_is_required_and_pending(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, editor) = (server.administrator(), server.production_editor());
    let path = targeting_of("search-suggestions", "production");
    administrator.patch(&path, &json!({ "enabled": true, "rules": [everyone("on")] })).await.ok(200);
    administrator.patch(&environment("production", ""), &json!({ "approvalRequired": true })).await.ok(200);
    let pending = administrator.patch(&path, &json!({ "rules": [] })).await.ok(202);
    let browser = server.browser("production");
    assert_eq!(browser.load_id("alice").await.features["search-suggestions"], "on");

    server.clock.set(Instant(server.app.now().0 + 1000));
    let reason = json!({ "reason": "Search is down: incident 42" });
    let off = editor.post(&break_glass("search-suggestions", "production"), &reason).await.ok(200);
    assert_eq!((&off["enabled"], &off["rules"][0]["splits"][0]["variantKey"]), (&json!(false), &json!("on")));
    assert_eq!(browser.load_id("alice").await.features["search-suggestions"], "off");

    let entry = &administrator.get("/api/v1/audit-log?limit=1").await.items()[0];
    assert_eq!(entry["action"], "targeting.break-glass");
    assert_eq!((&entry["after"]["breakGlass"], &entry["after"]["reason"]), (&json!(true), &reason["reason"]));
    let approval = project(&format!("/approvals/{}", pending["id"].as_str().unwrap()));
    assert_eq!(administrator.get(&approval).await.ok(200)["stale"]["because"], "targetChanged");
    editor.post(&format!("{approval}/approve"), &json!({})).await.problem(409, "approval-stale");
    // To switch it on again, an approval is needed.
    editor.patch(&path, &json!({ "enabled": true })).await.ok(202);
}

#[apply(on_default_database)]
async fn break_glass_needs_the_production_editor_in_every_environment_and_a_reason(database: Database) {
    let server = Server::start(&database).await;
    let reason = json!({ "reason": "Too slow" });
    let before = server.stored_rows().await;
    for place in ["staging", "production"] {
        let path = break_glass("reviews", place);
        server.editor().post(&path, &reason).await.problem(403, "forbidden");
        for reason in [json!(""), Value::Null, json!(5)] {
            let response = server.production_editor().post(&path, &json!({ "reason": reason })).await;
            assert_eq!(response.pointers(), ["/reason"], "{reason}");
        }
        server.production_editor().post(&path, &json!({})).await.problem(422, "invalid");
    }
    // Targeting that is off already stays as it is.
    let off = targeting_of("reviews", "production");
    let known = server.read_only().get(&off).await.ok(200);
    assert_eq!(known["enabled"], Value::Bool(false));
    assert_eq!(server.production_editor().post(&break_glass("reviews", "production"), &reason).await.ok(200), known);
    server.assert_unchanged_since(&before).await;
}
