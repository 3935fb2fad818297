//! Requests of guards where changes need an approval: made again if they became stale by themselves, ended with the experiment.

use flagservice_server::app::experiments::guards::check;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::guards::{guarded, measure, trips};
use super::{path, run};
use crate::fixture::{
    Server, at, environment, eventually, features, on_default_database, on_each_database, project, split, targeting_of,
};

/// Requires approvals in staging.
async fn require_approval(server: &Server) {
    let gate = json!({ "approvalRequired": true });
    server.administrator().patch(&environment("staging", ""), &gate).await.ok(200);
}

/// The request that the one trip names.
async fn requested(server: &Server) -> String {
    let [trip]: [Value; 1] = trips(server).await.try_into().unwrap();
    trip["approvalId"].as_str().unwrap().to_owned()
}

/// Requires approvals, trips the guard of the running experiment, and returns its request.
pub(super) async fn request(server: &Server) -> String {
    require_approval(server).await;
    measure(server, "complaint", 60, 10).await;
    eventually("the guard trips", async || trips(server).await.len() == 1).await;
    requested(server).await
}

/// The path of a request, or what is below it.
fn approval(id: &str, rest: &str) -> String {
    project(&format!("/approvals/{id}{rest}"))
}

async fn read(server: &Server, id: &str) -> Value {
    server.read_only().get(&approval(id, "")).await.ok(200)
}

async fn pending(server: &Server) -> Vec<Value> {
    server.read_only().get(&project("/approvals?state=pending")).await.column("id")
}

async fn splits(server: &Server) -> Value {
    server.read_only().get(&targeting_of("reviews", "staging")).await.ok(200)["rules"][0]["splits"].clone()
}

fn all_off() -> Value {
    json!([{ "variantKey": "off", "percentage": 100 }])
}

/// An approved step of a rollout is made while the request of the guard waits. Returns the request.
async fn overtaken(server: &Server) -> String {
    run(server, &guarded()).await;
    require_approval(server).await;
    let step = json!({ "rules": [split(90.0, 10.0)], "scheduledFor": "2026-11-21T11:00:00Z" });
    let step = server.editor().patch(&targeting_of("reviews", "staging"), &step).await.ok(202);
    let step = step["id"].as_str().unwrap();
    server.administrator().post(&approval(step, "/approve"), &json!({})).await.ok(200);
    let request = request(server).await;
    server.clock.set(at("2026-11-21T11:00:00Z"));
    eventually("the step is made", async || read(server, step).await["state"] == "approved").await;
    request
}

#[apply(on_each_database)]
async fn a_guard_asks_again_when_another_change_came_before_its_request(database: Database) {
    let server = Server::start(&database).await;
    let first = overtaken(&server).await;
    check(&server.app, None).await.unwrap();
    let second = requested(&server).await;
    assert_ne!(second, first);
    let ended = read(&server, &first).await;
    assert_eq!((&ended["state"], &ended["stale"]["because"]), (&json!("stale"), &json!("targetChanged")));

    // One request waits at a time, and it is not made again without a cause.
    check(&server.app, None).await.unwrap();
    assert_eq!((requested(&server).await, pending(&server).await), (second.clone(), vec![json!(second)]));
    let log = format!("/api/v1/audit-log?resource=projects/shop/approvals/{first}");
    let actions = server.administrator().get(&log).await.column("action");
    assert_eq!(actions, ["approval.stale", "approval.request"]);
    server.editor().post(&approval(&second, "/approve"), &json!({})).await.ok(200);
    assert_eq!(splits(&server).await, all_off());
    check(&server.app, None).await.unwrap();
    assert_eq!((requested(&server).await, pending(&server).await.len()), (second, 0));
}

#[apply(on_default_database)]
async fn a_guard_asks_again_when_somebody_found_its_request_stale(database: Database) {
    let server = Server::start(&database).await;
    let first = overtaken(&server).await;
    server.editor().post(&approval(&first, "/approve"), &json!({})).await.problem(409, "approval-stale");
    check(&server.app, None).await.unwrap();
    let second = requested(&server).await;
    assert_eq!(pending(&server).await, [json!(second)]);
    server.editor().post(&approval(&second, "/approve"), &json!({})).await.ok(200);
    assert_eq!(splits(&server).await, all_off());
}

/// Asserts that the guard leaves it at its request, which has this state.
async fn assert_done(server: &Server, request: &str, state: &str) {
    check(&server.app, None).await.unwrap();
    assert_eq!(requested(server).await, request);
    assert_eq!(read(server, request).await["state"], state);
    assert_eq!(pending(server).await, [] as [Value; 0]);
}

#[apply(on_default_database)]
async fn a_request_that_somebody_rejected_is_not_made_again(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let request = request(&server).await;
    server.editor().post(&approval(&request, "/reject"), &json!({ "comment": "We know." })).await.ok(200);
    assert_done(&server, &request, "rejected").await;
}

#[apply(on_default_database)]
async fn a_request_that_somebody_cancelled_is_not_made_again(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let request = request(&server).await;
    server.administrator().post(&approval(&request, "/cancel"), &json!({ "comment": "We know." })).await.ok(200);
    assert_done(&server, &request, "cancelled").await;
}

#[apply(on_default_database)]
async fn a_request_that_break_glass_ended_is_not_made_again(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let request = request(&server).await;
    let break_glass = format!("{}/break-glass", targeting_of("reviews", "staging"));
    server.production_editor().post(&break_glass, &json!({ "reason": "Too slow" })).await.ok(200);
    assert_done(&server, &request, "stale").await;
}

#[apply(on_default_database)]
async fn a_request_of_an_archived_feature_waits_until_it_is_restored(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let request = request(&server).await;
    let required = async |required: bool| {
        let gate = json!({ "approvalRequired": required });
        server.administrator().patch(&environment("staging", ""), &gate).await.ok(200);
    };
    let lifecycle = async |to: &str| {
        server.administrator().patch(&features("/reviews"), &json!({ "lifecycle": to })).await.ok(200);
    };
    // With a gate, nobody can archive the feature while a change waits.
    required(false).await;
    lifecycle("Archived").await;
    check(&server.app, None).await.unwrap();
    assert_eq!(read(&server, &request).await["stale"]["because"], "featureArchived");
    assert_eq!((requested(&server).await, pending(&server).await), (request.clone(), vec![json!(request)]));
    lifecycle("Active").await;
    server.editor().post(&approval(&request, "/approve"), &json!({})).await.ok(200);
    assert_eq!(splits(&server).await, all_off());
}

#[apply(on_default_database)]
async fn a_stop_ends_the_requests_of_guards_that_still_wait(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let request = request(&server).await;
    let decision = json!({ "decisionVariantKey": "on", "note": "Keep it." });
    server.editor().post(&path("/reviews/stop"), &decision).await.ok(200);
    let ended = read(&server, &request).await;
    assert_eq!((&ended["state"], &ended["stale"]["because"]), (&json!("stale"), &json!("invalid")));
    let detail = ended["stale"]["detail"].as_str().unwrap();
    assert!(detail.contains("the experiment 'reviews'") && detail.contains("was stopped"), "{detail}");
    server.production_editor().post(&approval(&request, "/approve"), &json!({})).await.problem(409, "approval-stale");
    let log = format!("/api/v1/audit-log?resource=projects/shop/approvals/{request}&action=approval.stale");
    assert_eq!(server.administrator().get(&log).await.column("userName"), ["Edda Okafor"]);

    // What was decided can be requested now.
    let winner = json!({ "rules": [split(100.0, 0.0)] });
    server.editor().patch(&targeting_of("reviews", "staging"), &winner).await.ok(202);
}

#[apply(on_default_database)]
async fn a_request_that_an_earlier_release_left_at_the_stop_ends_with_the_experiment(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let request = request(&server).await;
    let mut write = server.app.store.write().await.unwrap();
    let stopped = sqlx::query("UPDATE experiments SET state = 'stopped', stopped_at = 1795858800000");
    stopped.execute(write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();
    server.editor().delete(&path("/reviews")).await.ok(204);
    assert_eq!(read(&server, &request).await["state"], "stale");
}
