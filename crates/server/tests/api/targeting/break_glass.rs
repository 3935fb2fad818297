//! Break-glass: a production editor switches targeting off at once, where an approval is required or pending, and says why.

use flagservice_rules::Instant;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    Server, at, environment, eventually, everyone, on_default_database, on_each_database, project, targeting_of,
};

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

    let entry = &administrator.get("/api/v1/audit-log?action=targeting.break-glass").await.items()[0];
    assert_eq!((&entry["after"]["breakGlass"], &entry["after"]["reason"]), (&json!(true), &reason["reason"]));
    let approval = project(&format!("/approvals/{}", pending["id"].as_str().unwrap()));
    let ended = administrator.get(&approval).await.ok(200);
    assert_eq!((&ended["state"], &ended["stale"]["because"]), (&json!("stale"), &json!("invalid")));
    assert!(ended["stale"]["detail"].as_str().unwrap().contains("break-glass"), "{ended}");
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
    server.assert_unchanged_since(&before).await;
}

#[apply(on_default_database)]
async fn targeting_that_is_off_already_stays_as_it_is_and_the_reason_is_recorded(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.production_editor(), targeting_of("reviews", "production"));
    let known = server.read_only().get(&path).await.ok(200);
    assert_eq!(known["enabled"], Value::Bool(false));
    let reason = json!({ "reason": "Too slow" });
    assert_eq!(editor.post(&break_glass("reviews", "production"), &reason).await.ok(200), known);
    let entry = &server.administrator().get("/api/v1/audit-log?limit=1").await.items()[0];
    assert_eq!((&entry["action"], &entry["after"]["reason"]), (&json!("targeting.break-glass"), &reason["reason"]));
    assert_eq!(entry["before"]["targetings"], entry["after"]["targetings"]);
}

/// An hour after the tests begin.
const SOON: &str = "2026-11-21T11:00:00Z";

/// Schedules that a feature that is off in production is switched on, and requests the same now. Returns the ids of both.
async fn ask_for_on(server: &Server) -> [String; 2] {
    let (editor, path) = (server.production_editor(), targeting_of("reviews", "production"));
    let id = |asked: Value| asked["id"].as_str().unwrap().to_owned();
    let scheduled = id(editor.patch(&path, &json!({ "enabled": true, "scheduledFor": SOON })).await.ok(202));
    server.administrator().patch(&environment("production", ""), &json!({ "approvalRequired": true })).await.ok(200);
    [scheduled, id(editor.patch(&path, &json!({ "enabled": true })).await.ok(202))]
}

#[apply(on_each_database)]
async fn break_glass_ends_what_would_switch_on_again_also_if_the_targeting_is_off_already(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let ids = ask_for_on(&server).await;
    let reason = json!({ "reason": "Payments fail" });
    server.production_editor().post(&break_glass("reviews", "production"), &reason).await.ok(200);
    for id in &ids {
        let ended = administrator.get(&project(&format!("/approvals/{id}"))).await.ok(200);
        assert_eq!((&ended["state"], &ended["settledAt"]), (&json!("stale"), &json!("2026-11-21T10:00:00Z")));
        assert_eq!(ended["stale"]["because"], "invalid", "{ended}");
    }
    let mut log = administrator.get("/api/v1/audit-log?limit=3").await.column("action");
    log.sort_by_key(Value::to_string);
    assert_eq!(log, ["approval.stale", "change.stale", "targeting.break-glass"]);
}

#[apply(on_default_database)]
async fn a_change_that_found_its_base_again_by_break_glass_is_not_made(database: Database) {
    let server = Server::start(&database).await;
    let (editor, path) = (server.production_editor(), targeting_of("reviews", "production"));
    let on = json!({ "enabled": true });
    let scheduled = editor.patch(&path, &json!({ "enabled": true, "scheduledFor": SOON })).await.ok(202);
    // Somebody switches it on early, and it has to go off again.
    editor.patch(&path, &on).await.ok(200);
    editor.post(&break_glass("reviews", "production"), &json!({ "reason": "Payments fail" })).await.ok(200);
    let ended = editor.get(&project(&format!("/approvals/{}", scheduled["id"].as_str().unwrap()))).await.ok(200);
    assert_eq!((&ended["state"], &ended["settledAt"]), (&json!("stale"), &json!("2026-11-21T10:00:00Z")));
    // What is scheduled afterwards is made: the schedule is free again.
    let later = editor.patch(&path, &json!({ "enabled": true, "scheduledFor": SOON })).await.ok(202);
    server.clock.set(at(SOON));
    let path = project(&format!("/approvals/{}", later["id"].as_str().unwrap()));
    eventually("approved", async || editor.get(&path).await.ok(200)["state"] == "approved").await;
}
