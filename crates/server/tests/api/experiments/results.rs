//! Results: exact counts, the share of each variant, and what the statistics say of them.

use flagservice_rules::Instant;
use flagservice_statistics::{Arm, ERROR, Sequence, SplitTest};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{PURCHASE, edit_stored, path, reviews, run};
use crate::fixture::{NOW, Server, on_default_database};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn close(left: &Value, right: f64) {
    assert!((left.as_f64().unwrap() - right).abs() < 1e-12, "{left} is not {right}");
}

#[apply(on_default_database)]
async fn results_have_exact_counts_and_the_sequence_of_each_day(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    let mut experiment = reviews();
    (experiment["controlVariantKey"], experiment["plannedParticipants"]) = (json!("off"), json!(400));
    run(&server, &experiment).await;
    browser.take_part("off", 0..100, 20, PURCHASE).await;
    browser.take_part("on", 0..110, 60, PURCHASE).await;
    server.clock.set(Instant(NOW.0 + DAY_MS));
    browser.take_part("off", 100..200, 10, PURCHASE).await;
    browser.take_part("on", 110..190, 40, "complaint").await;

    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    assert_eq!(results["daysRun"], 1.0);
    let variants = json!([
        { "key": "off", "isControl": true, "share": 50.0, "participants": 200, "crossovers": 0 },
        { "key": "on", "isControl": false, "share": 50.0, "participants": 190, "crossovers": 0 },
    ]);
    assert_eq!(results["variants"], variants);
    let goals = results["goals"].as_array().unwrap();
    assert_eq!((&goals[0]["key"], &goals[1]["key"]), (&json!(PURCHASE), &json!("complaint")));
    assert_eq!(goals[0]["variants"][0], json!({ "variantKey": "off", "participants": 30, "rate": 0.15, "times": 30 }));
    assert_eq!(goals[0]["variants"][1]["participants"], 60);
    close(&goals[0]["variants"][1]["rate"], 60.0 / 190.0);

    // A guard is better in its own direction.
    let sequence = Sequence::new(400, ERROR).unwrap();
    let arm = |participants, conversions| Arm::new(participants, conversions).unwrap();
    let purchases = sequence.difference(arm(200, 30), arm(190, 60));
    let comparison = &goals[0]["comparisons"][0];
    assert_eq!((&comparison["variantKey"], &comparison["outcome"]), (&json!("on"), &json!("better")));
    close(&comparison["estimate"], purchases.estimate.unwrap());
    close(&comparison["lower"], purchases.lower);
    close(&comparison["upper"], purchases.upper);
    assert_eq!((&comparison["neededParticipants"], &comparison["neededDays"]), (&Value::Null, &Value::Null));
    assert_eq!(goals[1]["comparisons"][0]["outcome"], "tooFew");

    let days = results["days"].as_array().unwrap();
    let at: Vec<_> = days.iter().map(|day| (&day["day"], &day["participants"])).collect();
    let [first, second] = [json!("2026-11-21T00:00:00Z"), json!("2026-11-22T00:00:00Z")];
    assert_eq!(at, [(&first, &json!(210)), (&second, &json!(390))]);
    let after_one_day = sequence.difference(arm(100, 20), arm(110, 60));
    close(&days[0]["comparisons"][0]["lower"], after_one_day.lower);
    close(&days[1]["comparisons"][0]["upper"], purchases.upper);

    // The second day is not over.
    let mut test = SplitTest::new(&[50.0, 50.0]).unwrap();
    close(&results["split"]["pValue"], test.look(&[100, 110]).unwrap());
    assert_eq!(results["split"]["isBroken"], false);
    server.clock.set(Instant(NOW.0 + 2 * DAY_MS));
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    close(&results["split"]["pValue"], test.look(&[200, 190]).unwrap());
}

/// What the results say of the split.
async fn split_of(server: &Server) -> Value {
    server.read_only().get(&path("/reviews/results")).await.ok(200)["split"].clone()
}

fn assert_broken(split: &Value) {
    let [p_value, probability] = ["pValue", "probabilityBroken"].map(|name| split[name].as_f64().unwrap());
    assert!(split["isBroken"] == true && p_value <= 0.001 && probability > 0.9, "{split}");
}

#[apply(on_default_database)]
async fn a_broken_split_is_reported_at_the_end_of_the_day_and_at_the_stop(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &reviews()).await;
    server.browser("staging").take_part("on", 0..300, 0, PURCHASE).await;
    server.browser("staging").take_part("off", 0..100, 0, PURCHASE).await;
    assert_eq!(split_of(&server).await["isBroken"], false);
    server.clock.set(Instant(NOW.0 + DAY_MS));
    assert_broken(&split_of(&server).await);
    server.clock.set(NOW);
    server.editor().post(&path("/reviews/stop"), &json!({})).await.ok(200);
    assert_broken(&split_of(&server).await);
}

#[apply(on_default_database)]
async fn the_p_value_of_the_split_never_rises_also_when_a_day_begins_uneven(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &reviews()).await;
    let browser = server.browser("staging");
    let mut before = 1.0;
    for (day, variant, users) in [(0, "on", 0..300), (0, "off", 0..300), (1, "on", 300..500), (1, "off", 300..480)] {
        server.clock.set(Instant(NOW.0 + day * DAY_MS));
        browser.take_part(variant, users, 0, PURCHASE).await;
        let now = split_of(&server).await["pValue"].as_f64().unwrap();
        assert!(now <= before, "{now} after {before}");
        before = now;
    }
    server.clock.set(Instant(NOW.0 + 2 * DAY_MS));
    let mut test = SplitTest::new(&[50.0, 50.0]).unwrap();
    test.look(&[300, 300]);
    close(&split_of(&server).await["pValue"], test.look(&[500, 480]).unwrap());
}

#[apply(on_default_database)]
async fn an_undecided_experiment_says_how_much_more_it_needs(database: Database) {
    let server = Server::start(&database).await;
    let mut experiment = reviews();
    experiment["controlVariantKey"] = json!("off");
    run(&server, &experiment).await;
    server.browser("staging").take_part("on", 0..100, 30, PURCHASE).await;
    server.browser("staging").take_part("off", 0..100, 20, PURCHASE).await;
    server.clock.set(Instant(NOW.0 + DAY_MS));
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    let comparison = &results["goals"][0]["comparisons"][0];
    assert_eq!(comparison["outcome"], "undecided");
    let sequence = Sequence::new(10_000, ERROR).unwrap();
    let [control, variant] = [(100, 20), (100, 30)].map(|(all, reached)| Arm::new(all, reached).unwrap());
    let needed = sequence.needed(control, variant, 0.1).unwrap();
    assert_eq!(comparison["neededParticipants"], needed.participants);
    assert_eq!(comparison["neededDays"], needed.days(200.0).unwrap());
}

#[apply(on_default_database)]
async fn without_the_control_nothing_is_compared(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &reviews()).await;
    edit_stored(&server, "design", |design| design["control"] = json!("removed")).await;
    server.browser("staging").take_part("on", 0..100, 60, PURCHASE).await;
    server.browser("staging").take_part("off", 0..100, 10, PURCHASE).await;
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    let variants = results["variants"].as_array().unwrap().iter();
    assert!(variants.clone().all(|variant| variant["participants"] == 100 && variant["isControl"] == false));
    assert_eq!((&results["goals"][0]["comparisons"], variants.count()), (&json!([]), 2));
}
