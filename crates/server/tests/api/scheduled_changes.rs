//! A change at a time to come: it has no effect until then, is made once, or is stale.

use flagservice_rules::Instant;
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    ApiResponse, Caller, Server, at, environment, eventually, everyone, features, on_default_database,
    on_each_database, project, targeting_of,
};

/// An hour after the tests begin.
const SOON: &str = "2026-11-21T11:00:00Z";
/// An hour after that.
const LATER: &str = "2026-11-21T12:00:00Z";
/// And another hour after that.
const LAST: &str = "2026-11-21T13:00:00Z";

fn reviews() -> String {
    targeting_of("reviews", "staging")
}

fn change(id: &Value, rest: &str) -> String {
    project(&format!("/approvals/{}{rest}", id.as_str().unwrap()))
}

/// Asks for an edit at a time.
async fn ask(caller: &Caller, path: &str, edit: &Value, when: &str) -> ApiResponse {
    let mut body = edit.clone();
    body["scheduledFor"] = json!(when);
    caller.patch(path, &body).await
}

/// Schedules an edit, and returns its id.
async fn schedule(caller: &Caller, path: &str, edit: &Value, when: &str) -> Value {
    let scheduled = ask(caller, path, edit, when).await.ok(202);
    assert_eq!(scheduled["scheduledFor"], when);
    scheduled["id"].clone()
}

/// Sets the clock, and waits until a change is in a state. Returns the change.
async fn settled(server: &Server, when: &str, id: &Value, state: &str) -> Value {
    server.clock.set(at(when));
    is_in(server, id, state).await
}

async fn is_in(server: &Server, id: &Value, state: &str) -> Value {
    let (caller, path) = (server.read_only(), change(id, ""));
    eventually(state, async || caller.get(&path).await.ok(200)["state"] == state).await;
    caller.get(&path).await.ok(200)
}

#[apply(on_default_database)]
async fn a_scheduled_change_has_no_effect_before_its_time_and_is_made_then_on_open_pages(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let known = editor.get(&reviews()).await.ok(200);
    let browser = server.browser("staging");
    let loaded = browser.load(&json!({ "id": "alice", "attributes": { "country": "SE" } })).await;
    assert_eq!(loaded.features["reviews"], "on");
    let mut stream = browser.open(&loaded).await;

    let response = ask(&editor, &reviews(), &json!({ "rules": [everyone("off")], "comment": "Sale ends" }), SOON).await;
    let scheduled = response.ok(202);
    assert_eq!(response.header("location"), Some(change(&scheduled["id"], "").as_str()));
    assert_eq!((&scheduled["state"], &scheduled["reasons"]), (&json!("scheduled"), &json!([])));
    let off = everyone("off")["splits"].clone();
    assert_eq!((&scheduled["after"]["rules"][0]["splits"], &scheduled["settledAt"]), (&off, &Value::Null));
    assert_eq!(editor.get(&reviews()).await.ok(200), known);
    let listed = editor.get(&project("/approvals?state=scheduled")).await.column("id");
    assert_eq!(listed, [scheduled["id"].clone()]);

    let made = settled(&server, SOON, &scheduled["id"], "approved").await;
    assert_eq!((&made["settledAt"], &made["decidedBy"]), (&json!(SOON), &Value::Null));
    assert_eq!(stream.patch().await, json!({ "reviews": "off" }));
    let now = editor.get(&reviews()).await.ok(200);
    assert_eq!((&now["rules"][0]["splits"], &now["offVariantKey"]), (&off, &known["offVariantKey"]));
    let log = format!("/api/v1/audit-log?resource=projects/shop/approvals/{}", made["id"].as_str().unwrap());
    let actions = server.administrator().get(&log).await.column("action");
    assert_eq!(actions, ["change.apply", "change.schedule"]);
    let edits = server.administrator().get("/api/v1/audit-log?action=targeting.update&limit=1").await.items();
    assert_eq!((&edits[0]["userName"], &edits[0]["at"]), (&json!("Edda Okafor"), &json!(SOON)));
}

#[apply(on_each_database)]
async fn changes_of_one_targeting_build_on_each_other_in_the_order_of_their_times(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let first = schedule(&editor, &reviews(), &json!({ "rules": [everyone("off")] }), SOON).await;
    let second = schedule(&editor, &reviews(), &json!({ "offVariantKey": "on", "enabled": false }), LATER).await;
    let planned = editor.get(&change(&second, "")).await.ok(200);
    assert_eq!(planned["before"]["rules"][0]["splits"], everyone("off")["splits"]);

    // One that comes before them would change what they were made for.
    for when in [SOON, "2026-11-21T10:30:00Z", LATER] {
        let refused = ask(&editor, &reviews(), &json!({ "enabled": false }), when).await;
        assert_eq!((refused.status, refused.pointers()), (422, vec!["/scheduledFor".to_owned()]));
        assert!(refused.problem(422, "invalid")["detail"].as_str().unwrap().contains(LATER));
    }
    settled(&server, LATER, &second, "approved").await;
    is_in(&server, &first, "approved").await;
    let now = editor.get(&reviews()).await.ok(200);
    assert_eq!((&now["enabled"], &now["offVariantKey"]), (&json!(false), &json!("on")));
    assert_eq!(now["rules"][0]["splits"], everyone("off")["splits"]);
}

#[apply(on_default_database)]
async fn an_edit_that_the_schedule_leaves_already_is_answered_with_the_targeting_in_force(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    schedule(&editor, &reviews(), &json!({ "enabled": false }), SOON).await;
    let current = editor.get(&reviews()).await;
    let again = ask(&editor, &reviews(), &json!({ "enabled": false }), LATER).await;
    assert_eq!((again.ok(200), again.etag()), (current.ok(200), current.etag()));
    assert_eq!(editor.get(&project("/approvals?state=scheduled")).await.items().len(), 1);
}

#[apply(on_default_database)]
async fn a_time_must_be_in_the_future_and_within_a_year(database: Database) {
    let server = Server::start(&database).await;
    for (when, detail) in [
        ("2026-11-21T10:00:00Z", "must be in the future. Leave it out to make the change now"),
        ("2027-11-23T10:00:00Z", "must be within a year"),
    ] {
        let refused = ask(&server.editor(), &reviews(), &json!({ "enabled": false }), when).await;
        assert_eq!((refused.status, refused.pointers()), (422, vec!["/scheduledFor".to_owned()]));
        assert_eq!(refused.problem(422, "invalid")["errors"][0]["detail"], detail);
    }
    ask(&server.editor(), &reviews(), &json!({ "enabled": false }), "tomorrow").await.problem(422, "invalid");
}

#[apply(on_each_database)]
async fn a_change_outside_the_schedule_makes_it_stale_also_when_it_is_taken_back_too_late(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let edit = json!({ "rules": [everyone("off")] });
    let stale = schedule(&editor, &reviews(), &edit, SOON).await;
    let known = editor.get(&reviews()).await.ok(200);
    editor.patch(&reviews(), &json!({ "rules": [everyone("on"), everyone("off")] })).await.ok(200);
    let warned = editor.get(&change(&stale, "")).await.ok(200);
    assert_eq!((&warned["state"], &warned["stale"]["because"]), (&json!("scheduled"), &json!("targetChanged")));
    let ended = settled(&server, SOON, &stale, "stale").await;
    assert_eq!(ended["stale"]["detail"], "The targeting is not the one that the change was made for.");
    assert_eq!(editor.get(&reviews()).await.ok(200)["rules"].as_array().unwrap().len(), 2);

    // What counts is what the targeting is, not how often it changed.
    editor.patch(&reviews(), &json!({ "rules": known["rules"] })).await.ok(200);
    let kept = schedule(&editor, &reviews(), &edit, LATER).await;
    editor.patch(&reviews(), &json!({ "enabled": false })).await.ok(200);
    editor.patch(&reviews(), &json!({ "enabled": true })).await.ok(200);
    settled(&server, LATER, &kept, "approved").await;
}

#[apply(on_default_database)]
async fn break_glass_makes_a_scheduled_change_stale(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("new-checkout", "production");
    let pablo = server.production_editor();
    pablo.patch(&path, &json!({ "enabled": true, "rules": [everyone("off")] })).await.ok(200);
    let id = schedule(&pablo, &path, &json!({ "rules": [everyone("on")] }), SOON).await;
    pablo.post(&format!("{path}/break-glass"), &json!({ "reason": "Payments fail" })).await.ok(200);
    settled(&server, SOON, &id, "stale").await;
    assert_eq!(pablo.get(&path).await.ok(200)["enabled"], false);
}

/// Schedules that a feature is on, off, and on again.
async fn on_off_on(caller: &Caller, path: &str) -> [Value; 3] {
    let on = json!({ "enabled": true });
    let first = schedule(caller, path, &on, SOON).await;
    let second = schedule(caller, path, &json!({ "enabled": false }), LATER).await;
    [first, second, schedule(caller, path, &on, LAST).await]
}

#[apply(on_each_database)]
async fn a_cancelled_change_ends_those_after_it_also_where_the_targeting_is_what_they_were_made_for(
    database: Database,
) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    editor.patch(&reviews(), &json!({ "enabled": false })).await.ok(200);
    let [first, second, third] = on_off_on(&editor, &reviews()).await;
    let other = schedule(&editor, &targeting_of("gift-cards", "staging"), &json!({ "enabled": true }), LAST).await;
    editor.post(&change(&first, "/cancel"), &json!({})).await.ok(200);
    for later in [&second, &third] {
        let ended = editor.get(&change(later, "")).await.ok(200);
        assert_eq!((&ended["state"], &ended["stale"]["because"]), (&json!("stale"), &json!("targetChanged")));
        assert!(ended["stale"]["detail"].as_str().unwrap().contains(SOON), "{ended}");
    }
    settled(&server, LAST, &other, "approved").await;
    assert_eq!(editor.get(&reviews()).await.ok(200)["enabled"], false);
}

#[apply(on_default_database)]
async fn a_feature_that_was_switched_off_by_break_glass_is_not_switched_on_by_a_later_change(database: Database) {
    let server = Server::start(&database).await;
    let path = targeting_of("new-checkout", "production");
    let pablo = server.production_editor();
    pablo.patch(&path, &json!({ "enabled": false })).await.ok(200);
    let [first, second, third] = on_off_on(&pablo, &path).await;
    settled(&server, SOON, &first, "approved").await;
    pablo.post(&format!("{path}/break-glass"), &json!({ "reason": "Payments fail" })).await.ok(200);
    settled(&server, LATER, &second, "stale").await;
    settled(&server, LAST, &third, "stale").await;
    assert_eq!(pablo.get(&path).await.ok(200)["enabled"], false);
}

#[apply(on_default_database)]
async fn only_the_requester_or_an_administrator_cancels_it(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    for canceller in [server.editor(), server.administrator()] {
        let id = schedule(&editor, &reviews(), &json!({ "enabled": false }), SOON).await;
        server.production_editor().post(&change(&id, "/cancel"), &json!({})).await.problem(403, "forbidden");
        for verb in ["approve", "reject"] {
            server
                .administrator()
                .post(&change(&id, &format!("/{verb}")), &json!({}))
                .await
                .problem(409, "approval-decided");
        }
        let cancelled = canceller.post(&change(&id, "/cancel"), &json!({ "comment": "Not yet" })).await.ok(200);
        assert_eq!((&cancelled["state"], &cancelled["comments"][0]["text"]), (&json!("cancelled"), &json!("Not yet")));
    }
    let id = schedule(&editor, &reviews(), &json!({ "rules": [everyone("off")] }), SOON).await;
    settled(&server, SOON, &id, "approved").await;
    assert_eq!(editor.get(&reviews()).await.ok(200)["enabled"], true);
}

#[apply(on_default_database)]
async fn with_an_approval_it_is_made_at_its_time_and_without_one_in_time_it_is_stale(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let pending = ask(&editor, &reviews(), &json!({ "enabled": false }), SOON).await.ok(202);
    assert_eq!(pending["state"], "pending");
    let approved = administrator.post(&change(&pending["id"], "/approve"), &json!({})).await.ok(200);
    assert_eq!((&approved["state"], &approved["decidedBy"]["name"]), (&json!("scheduled"), &json!("Alma Lindqvist")));
    assert_eq!(editor.get(&reviews()).await.ok(200)["enabled"], true);

    // The next one is made for what the first one leaves.
    let next = ask(&editor, &reviews(), &json!({ "enabled": true }), LATER).await.ok(202);
    assert_eq!((&next["state"], &next["before"]["enabled"]), (&json!("pending"), &json!(false)));
    settled(&server, SOON, &pending["id"], "approved").await;
    assert_eq!(editor.get(&reviews()).await.ok(200)["enabled"], false);
    let late = settled(&server, LATER, &next["id"], "stale").await;
    assert_eq!((&late["stale"]["because"], &late["settledAt"]), (&json!("notInTime"), &json!(LATER)));
    assert_eq!(editor.get(&reviews()).await.ok(200)["enabled"], false);
    administrator.post(&change(&next["id"], "/approve"), &json!({})).await.problem(409, "approval-stale");
}

#[apply(on_default_database)]
async fn requests_for_several_times_wait_together_and_one_that_is_missed_ends_those_after_it(database: Database) {
    let server = Server::start(&database).await;
    let (editor, administrator) = (server.editor(), server.administrator());
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let mut steps = Vec::new();
    for (variants, when) in [(1, SOON), (2, LATER), (3, LAST)] {
        let rules: Vec<_> = (0..variants).map(|_| everyone("off")).collect();
        steps.push(ask(&editor, &reviews(), &json!({ "rules": rules }), when).await.ok(202));
    }
    for (step, next) in steps.iter().zip(&steps[1..]) {
        assert_eq!((&step["state"], &step["after"]), (&json!("pending"), &next["before"]));
    }
    // Others may still ask for something at once.
    editor.patch(&reviews(), &json!({ "rules": [everyone("on"), everyone("off")] })).await.ok(202);
    let pending = editor.get(&project("/approvals?state=pending&featureKey=reviews")).await.items();
    let now = pending.iter().find(|request| request["scheduledFor"].is_null()).unwrap();
    editor.post(&change(&now["id"], "/cancel"), &json!({})).await.ok(200);

    for step in [0, 2] {
        administrator.post(&change(&steps[step]["id"], "/approve"), &json!({})).await.ok(200);
    }
    settled(&server, SOON, &steps[0]["id"], "approved").await;
    let missed = settled(&server, LATER, &steps[1]["id"], "stale").await;
    assert_eq!(missed["stale"]["because"], "notInTime");
    let after = editor.get(&change(&steps[2]["id"], "")).await.ok(200);
    assert_eq!((&after["state"], &after["settledAt"]), (&json!("stale"), &json!(LATER)));
    assert_eq!(after["stale"]["because"], "targetChanged");
    assert_eq!(editor.get(&reviews()).await.ok(200)["rules"].as_array().unwrap().len(), 1);
}

#[apply(on_default_database)]
async fn it_is_made_with_the_rights_that_its_requester_has_then(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let colleague = server.colleague("Ines", Role::Editor).await;
    let me = colleague.get("/api/v1/me").await.ok(200);
    let id = schedule(&colleague, &reviews(), &json!({ "enabled": false }), SOON).await;
    let person = format!("/api/v1/users/{}", me["id"].as_str().unwrap());
    administrator.patch(&person, &json!({ "role": "readOnly" })).await.ok(200);
    let ended = settled(&server, SOON, &id, "stale").await;
    assert_eq!(ended["stale"]["because"], "notPermitted");
    assert!(ended["stale"]["detail"].as_str().unwrap().contains("read-only"), "{ended}");

    // A gate that was closed meanwhile holds it back too.
    let gated = schedule(&server.editor(), &reviews(), &json!({ "enabled": false }), LATER).await;
    administrator.patch(&environment("staging", ""), &json!({ "approvalRequired": true })).await.ok(200);
    let ended = settled(&server, LATER, &gated, "stale").await;
    assert!(ended["stale"]["detail"].as_str().unwrap().contains("needs an approval"), "{ended}");
    assert_eq!(server.editor().get(&reviews()).await.ok(200)["enabled"], true);
}

#[apply(on_default_database)]
async fn a_change_of_somebody_who_is_removed_is_stale(database: Database) {
    let server = Server::start(&database).await;
    let colleague = server.colleague("Ines", Role::Editor).await;
    let me = colleague.get("/api/v1/me").await.ok(200);
    let id = schedule(&colleague, &reviews(), &json!({ "enabled": false }), SOON).await;
    assert_eq!(server.editor().get(&change(&id, "")).await.ok(200)["stale"], Value::Null);
    server.administrator().delete(&format!("/api/v1/users/{}", me["id"].as_str().unwrap())).await.ok(204);
    let warned = server.editor().get(&change(&id, "")).await.ok(200);
    let detail = "The change is invalid by now: its requester is no longer a person of the organisation.";
    let stale = json!({ "because": "invalid", "detail": detail });
    assert_eq!((&warned["state"], &warned["stale"]), (&json!("scheduled"), &stale));
    assert_eq!(settled(&server, SOON, &id, "stale").await["stale"], stale);
    assert_eq!(server.editor().get(&reviews()).await.ok(200)["enabled"], true);
}

#[apply(on_default_database)]
async fn a_copy_can_be_scheduled_feature_by_feature(database: Database) {
    let server = Server::start(&database).await;
    let pablo = server.production_editor();
    for feature in ["reviews", "gift-cards"] {
        pablo
            .patch(&targeting_of(feature, "staging"), &json!({ "enabled": true, "rules": [everyone("on")] }))
            .await
            .ok(200);
        pablo.patch(&targeting_of(feature, "production"), &json!({ "enabled": false })).await.ok(200);
    }
    let copy = |dry_run: bool| {
        json!({
            "source": "staging", "target": "production", "featureKeys": ["reviews", "gift-cards"],
            "settings": { "enabled": true, "offVariantKey": true, "rules": true }, "scheduledFor": SOON, "dryRun": dry_run,
        })
    };
    let path = environment("copy", "");
    let outcomes = |response: &ApiResponse| -> Vec<Value> {
        response.ok(200)["results"].as_array().unwrap().iter().map(|result| result["outcome"].clone()).collect()
    };
    assert_eq!(outcomes(&pablo.post(&path, &copy(true)).await), ["SCHEDULED", "SCHEDULED"]);
    let scheduled = pablo.post(&path, &copy(false)).await;
    assert_eq!(outcomes(&scheduled), ["SCHEDULED", "SCHEDULED"]);
    let ids: Vec<_> =
        scheduled.ok(200)["results"].as_array().unwrap().iter().map(|it| it["approvalId"].clone()).collect();
    let copies = pablo.get(&project("/approvals?state=scheduled")).await.column("copyId");
    assert_eq!(copies, [ids[0].clone(), ids[0].clone()]);
    let again = pablo.post(&path, &copy(false)).await.ok(200);
    assert_eq!(again["results"][0]["reason"]["code"], "scheduledLater");

    let production = targeting_of("reviews", "production");
    assert_eq!(pablo.get(&production).await.ok(200)["enabled"], false);
    settled(&server, SOON, &ids[1], "approved").await;
    is_in(&server, &ids[0], "approved").await;
    assert_eq!(pablo.get(&production).await.ok(200)["enabled"], true);
}

#[apply(on_each_database)]
async fn changes_that_cannot_be_read_do_not_hold_up_others(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    // More than the scheduler reads at once.
    for second in 0..110 {
        let when = format!("2026-11-21T11:{:02}:{:02}Z", second / 60, second % 60);
        schedule(&editor, &reviews(), &json!({ "enabled": second % 2 == 1 }), &when).await;
    }
    let other = targeting_of("gift-cards", "staging");
    let sound = schedule(&editor, &other, &json!({ "enabled": true }), LATER).await;
    let mut write = server.app.store.write().await.unwrap();
    let damage = sqlx::query("UPDATE approvals SET after_targeting = '?' WHERE id <> $1").bind(sound.as_str().unwrap());
    assert_eq!(damage.execute(&mut *write.connection().await.unwrap()).await.unwrap().rows_affected(), 110);
    write.commit().await.unwrap();
    settled(&server, LATER, &sound, "approved").await;
    let set_aside = async || server.anonymous().get("/health/ready").await.ok(200)["setAside"].clone();
    eventually("110 rows", async || set_aside().await.as_array().is_some_and(|rows| rows.len() == 110)).await;
    assert_eq!(set_aside().await[0]["table"], "approvals");
}

#[apply(on_default_database)]
async fn a_change_that_was_due_while_no_server_ran_is_made_at_the_start_and_by_one_node_only(database: Database) {
    let server = Server::start(&database).await;
    let id = schedule(&server.editor(), &reviews(), &json!({ "enabled": false }), SOON).await;
    server.stop().await;

    let (one, other) = tokio::join!(Server::start(&database), Server::start(&database));
    for node in [&one, &other] {
        node.clock.set(Instant(at(SOON).0 + 60_000));
    }
    is_in(&one, &id, "approved").await;
    let log = "/api/v1/audit-log?action=targeting.update";
    let edits = one.administrator().get(log).await.items();
    let mine = edits.iter().filter(|edit| edit["after"].to_string().contains(id.as_str().unwrap())).count();
    assert_eq!(mine, 1);
    other.stop().await;
    one.stop().await;
}
