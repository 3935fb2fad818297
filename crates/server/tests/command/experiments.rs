//! `experiment`: experiments on the command line.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::run::{CommandOutput, run};
use crate::fixture::{Caller, Database, Server, environment, on_each_database, split, targeting, targeting_of};

const SALES: [&str; 3] = ["shop", "staging", "sales"];

/// The path of the experiments in staging, or what is below it.
fn path(rest: &str) -> String {
    environment("staging", &format!("/experiments{rest}"))
}

/// Creates an experiment with `reviews`, of which half of the users of staging get `on`.
async fn prepare(editor: &Caller) {
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    let goals = json!([{ "key": "purchase", "role": "primary" }]);
    let experiment = json!({
        "key": "sales", "name": "Do reviews sell?", "featureKey": "reviews", "goals": goals,
        "controlVariantKey": "off", "plannedParticipants": 200,
    });
    editor.post(&path(""), &experiment).await.ok(201);
}

/// Runs a command on the experiment.
async fn run_on_sales(database: &Database, command: &str, more: &[&str]) -> CommandOutput {
    run(database, &[&["experiment", command], &SALES[..], more].concat()).await
}

#[apply(on_each_database)]
async fn experiments_are_listed_and_results_say_what_was_counted(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor).await;
    let list = async || -> Vec<String> {
        let listed = run(&database, &["experiment", "list", "shop", "staging"]).await.ok();
        listed.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(list().await, ["sales draft reviews never never Do reviews sell?"]);
    run_on_sales(&database, "results", &[]).await.expect_error(&["'sales'", "was not started"]);
    editor.post(&path("/sales/start"), &Value::Null).await.ok(200);
    assert_eq!(list().await, ["sales running reviews 2026-11-21T10:00:00Z never Do reviews sell?"]);

    let browser = server.browser("staging");
    browser.take_part("on", 0..100, 60, "purchase").await;
    browser.take_part("off", 0..100, 10, "purchase").await;
    let results = run_on_sales(&database, "results", &[]).await;
    assert!(results.err.is_empty(), "{results:?}");
    let results = results.ok();
    let rows: Vec<Vec<&str>> = results.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["purchase", "off", "100", "10", "10.0%", "control"]);
    assert_eq!(rows[1][..6], ["purchase", "on", "100", "60", "60.0%", "+50.0"]);
    assert_eq!((rows[1].last(), rows.len()), (Some(&"better"), 2), "{results}");
}

#[apply(on_each_database)]
async fn results_that_cannot_be_trusted_come_with_a_warning(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor).await;
    editor.post(&path("/sales/start"), &Value::Null).await.ok(200);
    let browser = server.browser("staging");
    browser.take_part("on", 0..300, 10, "purchase").await;
    browser.take_part("off", 0..100, 10, "purchase").await;
    run_on_sales(&database, "stop", &[]).await.ok();
    let warnings = run_on_sales(&database, "results", &[]).await.err;
    assert!(warnings.contains("split is broken") && !warnings.contains("targeting"), "{warnings}");
}

#[apply(on_each_database)]
async fn results_after_a_change_of_the_targeting_come_with_a_warning_and_no_test_of_the_split(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor).await;
    editor.post(&path("/sales/start"), &Value::Null).await.ok(200);
    server.browser("staging").take_part("on", 0..300, 10, "purchase").await;
    server.browser("staging").take_part("off", 0..100, 10, "purchase").await;
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[split(20.0, 80.0)])).await.ok(200);
    run_on_sales(&database, "stop", &[]).await.ok();
    let warnings = run_on_sales(&database, "results", &[]).await.err;
    assert!(warnings.contains("targeting was changed") && !warnings.contains("split is broken"), "{warnings}");
}

#[apply(on_each_database)]
async fn an_experiment_is_stopped_with_a_decision(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    prepare(&editor).await;
    let decision = ["--decision", "on", "--note", "It sells."];
    run_on_sales(&database, "stop", &decision).await.expect_error(&["'sales' is not running"]);
    editor.post(&path("/sales/start"), &Value::Null).await.ok(200);
    run_on_sales(&database, "stop", &decision).await.ok();
    let stopped = editor.get(&path("/sales")).await.ok(200);
    let expected = (&json!("stopped"), &json!("on"), &json!("It sells."));
    assert_eq!((&stopped["state"], &stopped["decisionVariantKey"], &stopped["note"]), expected);
}

#[apply(on_each_database)]
async fn wrong_arguments_of_experiments_are_named(database: Database) {
    run(&database, &["experiment", "list", "none", "staging"]).await.expect_error(&["no project 'none'"]);
    run(&database, &["experiment", "results", "shop", "staging", "none"]).await.expect_error(&["no experiment 'none'"]);
    let invalid = ["experiment", "stop", "shop", "staging", "none", "--decision", "a b"];
    run(&database, &invalid).await.expect_usage_error(&["a b"]);
}
