//! Experiments: prepared, started, stopped, and who may do that.

mod guard_requests;
mod guards;
mod participation;
mod results;
mod segments;

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::fixture::{
    Caller, Server, condition, environment, everyone, features, on_default_database, on_each_database, project, split,
    targeting, targeting_of,
};

const PURCHASE: &str = "purchase";

/// The path of an experiment in staging, or what is below it.
fn path(rest: &str) -> String {
    environment("staging", &format!("/experiments{rest}"))
}

/// An experiment with the feature `reviews`.
fn reviews() -> Value {
    let goals = json!([
        { "key": PURCHASE, "role": "primary" },
        { "key": "complaint", "role": "guard", "direction": "decrease" },
    ]);
    json!({ "key": "reviews", "name": "Do reviews sell?", "featureKey": "reviews", "goals": goals })
}

/// Gives half of the users of staging `on`, and creates an experiment with it.
async fn prepare(caller: &Caller, experiment: &Value) {
    caller.put(&targeting_of("reviews", "staging"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    caller.post(&path(""), experiment).await.ok(201);
}

/// The same, and starts it.
async fn run(server: &Server, experiment: &Value) {
    prepare(&server.editor(), experiment).await;
    server.editor().post(&path("/reviews/start"), &Value::Null).await.ok(200);
}

/// What clients report for the running experiment with `reviews`, of users of a segment, or of none with 0.
async fn entry(server: &Server, segment: usize) -> String {
    let number = sqlx::query_scalar("SELECT number FROM experiments WHERE state = 'running'");
    let number: i64 = number.fetch_one(&mut *server.app.store.read().await.unwrap()).await.unwrap();
    format!("reviews/{segment}/{number}")
}

/// Changes the only experiment as an earlier release could have stored it: the JSON of a column.
async fn edit_stored(server: &Server, column: &str, edit: impl FnOnce(&mut Value)) {
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let select = AssertSqlSafe(format!("SELECT {column} FROM experiments"));
    let stored: String = sqlx::query_scalar(select).fetch_one(&mut *connection).await.unwrap();
    let mut value = serde_json::from_str(&stored).unwrap();
    edit(&mut value);
    let update = AssertSqlSafe(format!("UPDATE experiments SET {column} = $1"));
    sqlx::query(update).bind(value.to_string()).execute(connection).await.unwrap();
    write.commit().await.unwrap();
}

#[apply(on_each_database)]
async fn an_experiment_is_prepared_then_runs_and_is_stopped_with_a_decision(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor, &reviews()).await;
    let draft = editor.get(&path("/reviews")).await.ok(200);
    assert_eq!((&draft["state"], &draft["controlVariantKey"]), (&json!("draft"), &json!("on")));
    assert_eq!((&draft["plannedDays"], &draft["plannedParticipants"]), (&json!(14), &json!(10_000)));
    let complaint = json!({ "key": "complaint", "role": "guard", "direction": "decrease" });
    assert_eq!(draft["goals"], json!([{ "key": PURCHASE, "role": "primary", "direction": "increase" }, complaint]));
    for empty in ["audienceKey", "startedAt", "split", "stoppedAt", "decisionVariantKey", "note"] {
        assert_eq!(draft[empty], Value::Null, "{empty}");
    }
    let edit = json!({ "controlVariantKey": "off", "plannedParticipants": 500, "name": "Reviews" });
    let edited = editor.patch(&path("/reviews"), &edit).await.ok(200);
    assert_eq!((&edited["controlVariantKey"], &edited["name"]), (&json!("off"), &json!("Reviews")));

    let started = editor.post(&path("/reviews/start"), &Value::Null).await;
    let version = started.etag();
    let started = started.ok(200);
    assert_eq!((&started["state"], &started["startedAt"]), (&json!("running"), &json!("2026-11-21T10:00:00Z")));
    let half = |variant: &str| json!({ "variantKey": variant, "percentage": 50 });
    assert_eq!(started["split"], json!([half("off"), half("on")]));
    assert_eq!(editor.get(&path("/reviews")).await.etag(), version);

    let decision = json!({ "decisionVariantKey": "on", "note": "More sales." });
    let stopped = editor.post(&path("/reviews/stop"), &decision).await.ok(200);
    assert_eq!((&stopped["state"], &stopped["stoppedAt"]), (&json!("stopped"), &json!("2026-11-21T10:00:00Z")));
    assert_eq!((&stopped["decisionVariantKey"], &stopped["note"]), (&json!("on"), &json!("More sales.")));
    assert_eq!(editor.get(&path("")).await.items(), [stopped]);
    editor.delete(&path("/reviews")).await.ok(204);
    editor.get(&path("/reviews")).await.problem(404, "not-found");
}

#[apply(on_default_database)]
async fn what_is_measured_stays_the_same_once_it_was_started(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    run(&server, &reviews()).await;
    for edit in [
        json!({ "goals": [{ "key": "other", "role": "primary" }] }),
        json!({ "controlVariantKey": "off" }),
        json!({ "plannedDays": 3 }),
        json!({ "plannedParticipants": 3 }),
        json!({ "audienceKey": null }),
    ] {
        editor.patch(&path("/reviews"), &edit).await.problem(409, "experiment-state");
    }
    assert_eq!(editor.patch(&path("/reviews"), &json!({ "name": "Sales" })).await.ok(200)["name"], "Sales");
}

#[apply(on_default_database)]
async fn each_step_is_possible_only_from_the_one_before(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor, &reviews()).await;
    let step = |name: &str| path(&format!("/reviews{name}"));
    editor.post(&step("/stop"), &json!({})).await.problem(409, "experiment-state");
    editor.get(&step("/results")).await.problem(409, "experiment-state");
    editor.post(&step("/start"), &Value::Null).await.ok(200);
    editor.post(&step("/start"), &Value::Null).await.problem(409, "experiment-state");
    editor.delete(&step("")).await.problem(409, "experiment-state");
    // Participants would be in both.
    let mut second = reviews();
    second["key"] = json!("second");
    editor.post(&path(""), &second).await.ok(201);
    let problem = editor.post(&path("/second/start"), &Value::Null).await.problem(409, "experiment-state");
    assert!(problem["detail"].as_str().unwrap().contains("running experiment"), "{problem}");
    let unknown = editor.post(&step("/stop"), &json!({ "decisionVariantKey": "plum" })).await;
    assert_eq!((unknown.status, unknown.pointers()), (422, vec!["/decisionVariantKey".to_owned()]));
    editor.post(&step("/stop"), &json!({})).await.ok(200);
    editor.post(&step("/stop"), &json!({})).await.problem(409, "experiment-state");
    editor.post(&step("/start"), &Value::Null).await.problem(409, "experiment-state");
    editor.post(&path("/second/start"), &Value::Null).await.ok(200);
}

#[apply(on_default_database)]
async fn a_repeated_start_and_stop_with_an_idempotency_key_run_once(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor, &reviews()).await;
    for (step, body) in [("start", Value::Null), ("stop", json!({ "note": "Enough" }))] {
        let path = path(&format!("/reviews/{step}"));
        let first = editor.post_once(&path, step, &body).await;
        let again = editor.post_once(&path, step, &body).await;
        assert_eq!((first.ok(200), first.etag()), (again.ok(200), again.etag()));
    }
}

#[apply(on_default_database)]
async fn a_feature_that_gives_everybody_the_same_variant_has_nothing_to_measure(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor, &reviews()).await;
    let targeting_path = targeting_of("reviews", "staging");
    let mut off = targeting(&[split(50.0, 50.0)]);
    off["enabled"] = json!(false);
    for nothing in [targeting(&[everyone("on")]), targeting(&[split(100.0, 0.0)]), off] {
        editor.put(&targeting_path, &nothing).await.ok(200);
        let problem = editor.post(&path("/reviews/start"), &Value::Null).await.problem(409, "experiment-state");
        assert!(problem["detail"].as_str().unwrap().contains("same variant"), "{problem}");
    }
    editor.put(&targeting_path, &targeting(&[split(50.0, 50.0)])).await.ok(200);
    server.administrator().patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    editor.post(&path("/reviews/start"), &Value::Null).await.problem(409, "experiment-state");
}

#[apply(on_default_database)]
async fn rules_that_split_users_in_different_ways_compare_different_users(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor, &reviews()).await;
    let mut swedes = split(20.0, 80.0);
    swedes["conditions"] = json!([condition("country", "equals", json!(["SE"]))]);
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[swedes.clone(), split(50.0, 50.0)])).await.ok(200);
    let problem = editor.post(&path("/reviews/start"), &Value::Null).await.problem(409, "experiment-state");
    assert!(problem["detail"].as_str().unwrap().contains("the same split"), "{problem}");
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[swedes, split(20.0, 80.0)])).await.ok(200);
    editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
}

/// The feature `colour`, off in staging, and a draft with it whose control is `teal`.
async fn add_colour(server: &Server) -> Value {
    let feature = json!({ "key": "colour", "name": "Colour", "variants": ["plum", "teal", "rose"] });
    server.administrator().post(&features(""), &feature).await.ok(201);
    let mut experiment = reviews();
    (experiment["featureKey"], experiment["controlVariantKey"]) = (json!("colour"), json!("teal"));
    server.editor().post(&path(""), &experiment).await.ok(201)
}

/// Rules that give each of these variants a share of the users.
fn shares(all: &[(&str, f64)]) -> Value {
    let share = |(variant, percentage): &(&str, f64)| json!({ "variantKey": variant, "percentage": percentage });
    json!({ "enabled": true, "offVariantKey": "plum", "rules": [{ "splits": all.iter().map(share).collect::<Vec<_>>() }] })
}

#[apply(on_default_database)]
async fn the_control_must_be_a_variant_that_users_are_given(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    add_colour(&server).await;
    let targeting_path = targeting_of("colour", "staging");
    let refused = async || {
        let problem = editor.post(&path("/reviews/start"), &Value::Null).await.problem(409, "experiment-state");
        let detail = problem["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("the control 'teal'") && detail.contains("select another control"), "{detail}");
    };
    for others in [&[("plum", 50.0), ("rose", 50.0)][..], &[("plum", 50.0), ("rose", 50.0), ("teal", 0.0)][..]] {
        editor.patch(&targeting_path, &shares(others)).await.ok(200);
        refused().await;
    }
    // The feature may have lost the variant since.
    editor.patch(&targeting_path, &shares(&[("plum", 50.0), ("rose", 50.0)])).await.ok(200);
    server.administrator().patch(&features("/colour"), &json!({ "variants": ["plum", "rose"] })).await.ok(200);
    refused().await;
    editor.patch(&path("/reviews"), &json!({ "controlVariantKey": "rose" })).await.ok(200);
    editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
}

#[apply(on_default_database)]
async fn the_control_of_a_running_experiment_stays_a_variant_until_it_is_stopped(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    add_colour(&server).await;
    editor.patch(&targeting_of("colour", "staging"), &shares(&[("teal", 50.0), ("rose", 50.0)])).await.ok(200);
    editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
    // A change of the targeting asks no experiment. Its guard would still serve `teal`.
    editor.patch(&targeting_of("colour", "staging"), &shares(&[("plum", 50.0), ("rose", 50.0)])).await.ok(200);

    let without = json!({ "variants": ["plum", "rose"] });
    let before = server.stored_rows().await;
    let refused = editor.patch(&features("/colour"), &without).await.problem(409, "in-use");
    let detail = refused["detail"].as_str().unwrap();
    for part in ["'teal'", "the experiment 'reviews'", "'staging'", "Stop the experiment first"] {
        assert!(detail.contains(part), "{part} in {detail}");
    }
    server.assert_unchanged_since(&before).await;
    editor.patch(&features("/colour"), &json!({ "variants": ["teal", "rose", "plum", "sand"] })).await.ok(200);
    editor.post(&path("/reviews/stop"), &json!({})).await.ok(200);
    editor.patch(&features("/colour"), &without).await.ok(200);
}

#[apply(on_default_database)]
async fn a_design_that_cannot_be_measured_names_what_is_wrong(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let primary = |key: &str| json!({ "key": key, "role": "primary" });
    let many: Vec<_> = (0..11).map(|number| json!({ "key": format!("goal-{number}") })).collect();
    let many = [&[primary("first")], &many[..]].concat();
    for (field, value, pointers) in [
        ("goals", json!([]), vec!["/goals"]),
        ("goals", json!([primary("a"), primary("b")]), vec!["/goals"]),
        ("goals", json!(many), vec!["/goals"]),
        ("goals", json!([primary("")]), vec!["/goals/0/key"]),
        ("goals", json!([primary("a"), { "key": "a" }]), vec!["/goals/1/key"]),
        ("goals", json!([primary(&"a".repeat(201))]), vec!["/goals/0/key"]),
        ("plannedDays", json!(0), vec!["/plannedDays"]),
        ("plannedDays", json!(366), vec!["/plannedDays"]),
        ("plannedParticipants", json!(0), vec!["/plannedParticipants"]),
        ("controlVariantKey", json!("plum"), vec!["/controlVariantKey"]),
        ("featureKey", json!("unknown"), vec!["/featureKey"]),
        ("audienceKey", json!("unknown"), vec!["/audienceKey"]),
    ] {
        let mut body = reviews();
        body[field] = value;
        let refused = editor.post(&path(""), &body).await;
        assert_eq!((refused.status, refused.pointers()), (422, pointers.into_iter().map(str::to_owned).collect()));
    }
    assert_eq!(editor.get(&path("")).await.items(), [] as [Value; 0]);
}

#[apply(on_default_database)]
async fn in_production_only_production_editors_change_experiments(database: Database) {
    let server = Server::start(&database).await;
    let production = environment("production", "/experiments");
    server.editor().post(&production, &reviews()).await.problem(403, "forbidden");
    server.production_editor().post(&production, &reviews()).await.ok(201);
    server.editor().patch(&format!("{production}/reviews"), &json!({ "name": "X" })).await.problem(403, "forbidden");
    server.editor().get(&format!("{production}/reviews")).await.ok(200);
}

#[apply(on_default_database)]
async fn an_audience_that_an_experiment_uses_cannot_be_deleted(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let audience = json!({ "key": "swedes", "name": "Swedes", "conditions": [] });
    editor.post(&project("/audiences"), &audience).await.ok(201);
    let mut experiment = reviews();
    experiment["audienceKey"] = json!("swedes");
    prepare(&editor, &experiment).await;
    assert_eq!(editor.get(&path("/reviews")).await.ok(200)["audienceKey"], "swedes");
    editor.delete(&project("/audiences/swedes")).await.problem(409, "in-use");
    editor.patch(&path("/reviews"), &json!({ "audienceKey": null })).await.ok(200);
    editor.delete(&project("/audiences/swedes")).await.ok(204);
}

#[apply(on_each_database)]
async fn a_stopped_experiment_keeps_who_took_part_when_its_audience_is_deleted(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    editor.post(&project("/audiences"), &json!({ "key": "swedes", "name": "Swedes", "conditions": [] })).await.ok(201);
    let mut experiment = reviews();
    experiment["audienceKey"] = json!("swedes");
    run(&server, &experiment).await;
    editor.post(&path("/reviews/stop"), &json!({})).await.ok(200);
    let before = editor.get(&path("/reviews")).await.ok(200);
    editor.delete(&project("/audiences/swedes")).await.ok(204);
    assert_eq!(editor.get(&path("/reviews")).await.ok(200), before);
    editor.patch(&path("/reviews"), &json!({ "name": "Sales" })).await.ok(200);
    assert_eq!(editor.get(&path("/reviews")).await.ok(200)["audienceKey"], "swedes");
}

#[apply(on_default_database)]
async fn the_audience_of_a_running_experiment_in_production_is_changed_by_production_editors_alone(database: Database) {
    let server = Server::start(&database).await;
    let (editor, pablo) = (server.editor(), server.production_editor());
    editor.post(&project("/audiences"), &json!({ "key": "swedes", "name": "Swedes", "conditions": [] })).await.ok(201);
    pablo.put(&targeting_of("reviews", "production"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    let mut experiment = reviews();
    experiment["audienceKey"] = json!("swedes");
    let production = environment("production", "/experiments");
    pablo.post(&production, &experiment).await.ok(201);
    let swedes = |country: &str| json!({ "conditions": [condition("country", "equals", json!([country]))] });
    // A draft gives nobody anything.
    editor.patch(&project("/audiences/swedes"), &swedes("SV")).await.ok(200);

    pablo.post(&format!("{production}/reviews/start"), &Value::Null).await.ok(200);
    let before = server.stored_rows().await;
    let refused = editor.patch(&project("/audiences/swedes"), &swedes("SE")).await.problem(403, "forbidden");
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.contains("the running experiment reviews in production"), "{detail}");
    assert!(detail.contains("production editor role"), "{detail}");
    server.assert_unchanged_since(&before).await;
    editor.patch(&project("/audiences/swedes"), &json!({ "name": "Sweden" })).await.ok(200);
    pablo.patch(&project("/audiences/swedes"), &swedes("SE")).await.ok(200);

    pablo.post(&format!("{production}/reviews/stop"), &json!({})).await.ok(200);
    editor.patch(&project("/audiences/swedes"), &swedes("NO")).await.ok(200);
}
