//! Guards: a variant that makes one worse loses its share, once, through the one way for changes.

use flagservice_rules::Instant;
use flagservice_server::app::experiments::guards::check;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::guard_requests::request;
use super::{PURCHASE, edit_stored, path, reviews, run};
use crate::fixture::{
    ApiResponse, NOW, Server, at, environment, eventually, features, on_default_database, on_each_database, project,
    split, targeting, targeting_of,
};

/// An experiment in which `off` is the control, with the guard `complaint`.
pub(super) fn guarded() -> Value {
    let mut experiment = reviews();
    (experiment["controlVariantKey"], experiment["plannedParticipants"]) = (json!("off"), json!(200));
    experiment
}

/// A hundred participants with each variant, of whom these many reach a goal.
pub(super) async fn measure(server: &Server, goal: &str, on: usize, off: usize) {
    let browser = server.browser("staging");
    browser.take_part("on", 0..100, on, goal).await;
    browser.take_part("off", 0..100, off, goal).await;
}

pub(super) async fn trips(server: &Server) -> Vec<Value> {
    trips_of(server, "reviews").await
}

async fn trips_of(server: &Server, experiment: &str) -> Vec<Value> {
    let experiment = server.read_only().get(&path(&format!("/{experiment}"))).await.ok(200);
    experiment["guardTrips"].as_array().unwrap().clone()
}

#[apply(on_default_database)]
async fn a_variant_that_makes_a_guard_worse_loses_its_share_once_also_on_open_pages(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let browser = server.browser("staging");
    // A user whose variant is `on`.
    let mut number = 0;
    let loaded = loop {
        let loaded = browser.load_id(&format!("user-{number}")).await;
        if loaded.features["reviews"] == "on" {
            break loaded;
        }
        number += 1;
    };
    let mut stream = browser.open(&loaded).await;
    measure(&server, "complaint", 60, 10).await;
    assert_eq!(stream.patch().await, json!({ "reviews": "off" }));
    eventually("the trip is noted", async || trips(&server).await.len() == 1).await;
    let trip = trips(&server).await.remove(0);
    let expected = json!({
        "goalKey": "complaint", "variantKey": "on", "at": "2026-11-21T10:00:00Z", "approvalId": null,
    });
    assert_eq!(trip, expected);
    let now = server.read_only().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(now["rules"][0]["splits"], json!([{ "variantKey": "off", "percentage": 100 }]));

    let log = server.administrator().get("/api/v1/audit-log?userId=flag-service").await.items();
    let entries: Vec<_> = log.iter().map(|entry| (&entry["action"], &entry["userName"])).collect();
    let service = json!("Flag Service");
    assert_eq!(entries, [(&json!("experiment.guard"), &service), (&json!("targeting.update"), &service)]);
    let comment = log[1]["after"]["comment"].as_str().unwrap();
    assert!(comment.contains("'Do reviews sell?'") && comment.contains("'complaint' is worse with 'on'"), "{comment}");

    // Somebody who gives the share back is not overruled.
    let again = targeting(&[split(50.0, 50.0)]);
    server.editor().put(&targeting_of("reviews", "staging"), &again).await.ok(200);
    measure(&server, PURCHASE, 50, 50).await;
    check(&server.app, None).await.unwrap();
    assert_eq!(trips(&server).await.len(), 1);
    let now = server.read_only().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(now["rules"][0]["splits"].as_array().unwrap().len(), 2);
}

#[apply(on_default_database)]
async fn behind_a_gate_an_approval_is_requested_instead(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let id = request(&server).await;
    let approval = server.editor().get(&project(&format!("/approvals/{id}"))).await.ok(200);
    assert_eq!((&approval["state"], &approval["requestedBy"]["name"]), (&json!("pending"), &json!("Flag Service")));
    let comment = approval["comment"].as_str().unwrap();
    assert!(comment.contains("'Do reviews sell?'"), "{comment}");
    let held = server.read_only().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(held["rules"][0]["splits"].as_array().unwrap().len(), 2);
    server.editor().post(&project(&format!("/approvals/{id}/approve")), &json!({})).await.ok(200);
    let now = server.read_only().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(now["rules"][0]["splits"], json!([{ "variantKey": "off", "percentage": 100 }]));
}

#[apply(on_default_database)]
async fn while_another_change_waits_for_approval_a_guard_waits_too(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    server.administrator().patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let waits = server.editor().put(&targeting_of("reviews", "staging"), &targeting(&[split(20.0, 80.0)])).await;
    let waits = project(&format!("/approvals/{}", waits.ok(202)["id"].as_str().unwrap()));
    measure(&server, "complaint", 60, 10).await;
    check(&server.app, None).await.unwrap();
    assert!(trips(&server).await.is_empty());
    server.editor().post(&format!("{waits}/cancel"), &json!({})).await.ok(200);
    check(&server.app, None).await.unwrap();
    eventually("the guard trips", async || trips(&server).await.len() == 1).await;
}

#[apply(on_default_database)]
async fn a_goal_that_is_no_guard_or_becomes_better_trips_nothing(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    measure(&server, "complaint", 10, 60).await;
    measure(&server, PURCHASE, 10, 60).await;
    let before = server.read_only().get(&targeting_of("reviews", "staging")).await.etag();
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    assert_eq!(results["goals"][0]["comparisons"][0]["outcome"], "worse");
    assert_eq!(results["goals"][1]["comparisons"][0]["outcome"], "better");
    check(&server.app, None).await.unwrap();
    assert!(trips(&server).await.is_empty());
    assert_eq!(server.read_only().get(&targeting_of("reviews", "staging")).await.etag(), before);
}

#[apply(on_each_database)]
async fn a_run_of_an_earlier_release_without_one_split_compares_nothing_and_its_guard_does_nothing(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    edit_stored(&server, "run", |run| run["split"] = Value::Null).await;

    measure(&server, "complaint", 60, 10).await;
    check(&server.app, None).await.unwrap();
    assert!(trips(&server).await.is_empty());
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    assert_eq!((&results["split"], &results["variants"][0]["participants"]), (&Value::Null, &json!(100)));
    for goal in results["goals"].as_array().unwrap() {
        assert_eq!(goal["comparisons"], json!([]));
    }
    assert_eq!(results["days"][0]["comparisons"], json!([]));
}

#[apply(on_default_database)]
async fn a_guard_stops_a_rollout_in_steps(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    let path = targeting_of("reviews", "staging");
    let mut steps = Vec::new();
    for (on, when) in [(70.0, "2026-11-21T11:00:00Z"), (100.0, "2026-11-21T12:00:00Z")] {
        let step = json!({ "rules": [split(on, 100.0 - on)], "scheduledFor": when });
        let scheduled = server.editor().patch(&path, &step).await.ok(202);
        steps.push(project(&format!("/approvals/{}", scheduled["id"].as_str().unwrap())));
    }
    measure(&server, "complaint", 60, 10).await;
    eventually("the guard trips", async || trips(&server).await.len() == 1).await;
    for (step, when) in steps.iter().zip(["2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z"]) {
        server.clock.set(at(when));
        eventually("the step is stale", async || server.read_only().get(step).await.ok(200)["state"] == "stale").await;
    }
    let now = server.read_only().get(&path).await.ok(200);
    assert_eq!(now["rules"][0]["splits"], json!([{ "variantKey": "off", "percentage": 100 }]));
}

#[apply(on_each_database)]
async fn a_guard_whose_control_is_no_variant_does_nothing_and_has_not_tripped(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    // An earlier release let the control be removed.
    let mut write = server.app.store.write().await.unwrap();
    let removed = sqlx::query("UPDATE features SET variants = '[\"on\",\"dark\"]' WHERE key = 'reviews'");
    removed.execute(write.connection().await.unwrap()).await.unwrap();
    write.commit().await.unwrap();
    let before = server.read_only().get(&targeting_of("reviews", "staging")).await.etag();
    measure(&server, "complaint", 60, 10).await;
    check(&server.app, None).await.unwrap();
    assert!(trips(&server).await.is_empty());
    assert_eq!(server.read_only().get(&targeting_of("reviews", "staging")).await.etag(), before);

    // With the control, it does what it is for.
    server.administrator().patch(&features("/reviews"), &json!({ "variants": ["on", "off"] })).await.ok(200);
    check(&server.app, None).await.unwrap();
    eventually("the guard trips", async || trips(&server).await.len() == 1).await;
    let now = server.read_only().get(&targeting_of("reviews", "staging")).await.ok(200);
    assert_eq!(now["rules"][0]["splits"], json!([{ "variantKey": "off", "percentage": 100 }]));
}

/// Assigns `reviews` to a pipeline with a phase for each environment.
async fn release_through(server: &Server, environments: &[&str]) {
    let phases: Vec<_> = environments.iter().map(|key| json!({ "name": key, "environmentKey": key })).collect();
    let pipeline = json!({ "key": "release", "name": "Release", "phases": phases });
    server.administrator().post(&project("/pipelines"), &pipeline).await.ok(201);
    server.editor().patch(&features("/reviews"), &json!({ "pipelineKey": "release" })).await.ok(200);
}

async fn next_phase(server: &Server) -> ApiResponse {
    server.production_editor().post(&features("/reviews/next-phase"), &json!({})).await
}

#[apply(on_default_database)]
async fn a_guard_that_has_tripped_holds_the_feature_in_its_phase_until_the_experiment_is_stopped(database: Database) {
    let server = Server::start(&database).await;
    release_through(&server, &["development", "staging", "production"]).await;
    run(&server, &guarded()).await;
    measure(&server, "complaint", 60, 10).await;
    eventually("the guard trips", async || trips(&server).await.len() == 1).await;

    // The experiment is in the environment of the next phase, then of the current one.
    assert_eq!(next_phase(&server).await.ok(200)["phase"]["name"], "staging");
    let before = server.stored_rows().await;
    let problem = next_phase(&server).await.problem(409, "experiment-state");
    let detail = problem["detail"].as_str().unwrap();
    for part in ["experiment 'reviews'", "'staging'", "'complaint'", "worse with 'on'", "Stop the experiment"] {
        assert!(detail.contains(part), "{part} in {detail}");
    }
    server.assert_unchanged_since(&before).await;
    server.editor().post(&path("/reviews/stop"), &json!({})).await.ok(200);
    assert_eq!(next_phase(&server).await.ok(200)["phase"]["name"], "production");
}

#[apply(on_default_database)]
async fn an_experiment_whose_guard_has_not_tripped_holds_no_phase(database: Database) {
    let server = Server::start(&database).await;
    release_through(&server, &["staging", "production"]).await;
    run(&server, &guarded()).await;
    measure(&server, "complaint", 10, 60).await;
    assert_eq!(next_phase(&server).await.ok(200)["phase"]["name"], "production");
}

#[apply(on_default_database)]
async fn a_guard_that_cannot_act_does_not_hold_up_others(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &guarded()).await;
    // Guards are checked in the order in which their experiments were created.
    server.clock.set(Instant(NOW.0 + 1_000));
    let mut other = guarded();
    (other["key"], other["featureKey"]) = (json!("points"), json!("loyalty-points"));
    server.editor().post(&path(""), &other).await.ok(201);
    server.editor().post(&path("/points/start"), &Value::Null).await.ok(200);
    let lifecycle = async |to: &str| {
        server.administrator().patch(&features("/reviews"), &json!({ "lifecycle": to })).await.ok(200);
    };
    let approval_required = async |required: bool| {
        let gate = json!({ "approvalRequired": required });
        server.administrator().patch(&environment("staging", ""), &gate).await.ok(200);
    };
    // Nobody could approve a change of an archived feature, so none is requested.
    lifecycle("Archived").await;
    approval_required(true).await;

    // The same users take part in both, so each goal counts in both.
    let users = ["on", "off"].map(|variant| (0..100).map(move |number| (variant, format!("{variant}-{number}"))));
    for users in users {
        let user = |(variant, user): (&str, String)| json!({ "feature": "loyalty-points", "variant": variant, "userId": user });
        let report = json!({ "participations": users.map(user).collect::<Vec<_>>(), "goals": [] });
        server.browser("staging").report(&report).await.ok(202);
    }
    measure(&server, "complaint", 60, 10).await;
    check(&server.app, None).await.unwrap();
    eventually("the other guard trips", async || trips_of(&server, "points").await.len() == 1).await;
    assert_eq!(trips(&server).await, [] as [Value; 0]);

    approval_required(false).await;
    lifecycle("Active").await;
    check(&server.app, None).await.unwrap();
    eventually("the guard trips, too", async || trips(&server).await.len() == 1).await;
}
