//! Segments: results for each value of an attribute that the audience lists.

use flagservice_rules::Instant;
use flagservice_statistics::{Arm, ERROR, Sequence};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{PURCHASE, entry, path, reviews, run};
use crate::fixture::{
    Browser, Caller, Edge, NOW, Server, condition, eventually, on_default_database, on_each_database, project, split,
    targeting, targeting_of,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The conditions of an audience that lists countries.
fn countries(values: &[&str]) -> Value {
    json!([condition("country", "in", json!(values)), condition("plan", "equals", json!(["pro"]))])
}

async fn add_audience(editor: &Caller, values: &[&str]) {
    let audience = json!({ "key": "nordic", "name": "Nordic", "conditions": countries(values) });
    editor.post(&project("/audiences"), &audience).await.ok(201);
}

/// The experiment with a segment for each country of the audience.
fn by_country() -> Value {
    let mut experiment = reviews();
    (experiment["audienceKey"], experiment["segmentAttribute"]) = (json!("nordic"), json!("country"));
    experiment
}

/// A server where the experiment runs, with the segments SE and NO.
async fn running(database: &crate::fixture::Database) -> Server {
    let server = Server::start(database).await;
    add_audience(&server.editor(), &["SE", "NO", "SE"]).await;
    run(&server, &by_country()).await;
    server
}

fn user(country: &str) -> Value {
    json!({ "id": "ada", "attributes": { "country": country, "plan": "pro" } })
}

/// Reports users of a segment as participants, of whom the first ones reach a goal.
async fn take_part(browser: &Browser, entry: &str, variant: &str, users: usize, goals: usize) {
    let user = |number: usize| format!("{entry}-{variant}-{number}");
    let participation = |number| json!({ "feature": entry, "variant": variant, "userId": user(number) });
    let goal = |number| {
        let id = format!("goal-{}", user(number)).replace('/', "-");
        json!({ "id": id, "key": PURCHASE, "userId": user(number) })
    };
    let report = json!({
        "participations": (0..users).map(participation).collect::<Vec<_>>(),
        "goals": (0..goals).map(goal).collect::<Vec<_>>(),
    });
    browser.report(&report).await.ok(202);
}

#[apply(on_default_database)]
async fn segments_need_an_audience_that_lists_values_of_the_attribute(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    let refused = async |experiment: &Value| {
        let response = editor.post(&path(""), experiment).await;
        assert_eq!((response.status, response.pointers()), (422, vec!["/segmentAttribute".to_owned()]));
        response.text
    };
    let mut everybody = by_country();
    everybody["audienceKey"] = Value::Null;
    assert!(refused(&everybody).await.contains("choose an audience"));
    add_audience(&editor, &["SE"]).await;
    assert!(refused(&by_country()).await.contains("lists 2 to 20 values"));
    let many: Vec<_> = (0..21).map(|number| format!("C{number}")).collect();
    let edit = json!({ "conditions": countries(&many.iter().map(String::as_str).collect::<Vec<_>>()) });
    editor.patch(&project("/audiences/nordic"), &edit).await.ok(200);
    assert!(refused(&by_country()).await.contains("lists 21 values"));
    editor.patch(&project("/audiences/nordic"), &json!({ "conditions": countries(&["SE", "NO"]) })).await.ok(200);
    let mut other = by_country();
    other["segmentAttribute"] = json!("plan");
    assert!(refused(&other).await.contains("`plan`"));

    editor.put(&targeting_of("reviews", "staging"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    let draft = editor.post(&path(""), &by_country()).await.ok(201);
    assert_eq!((&draft["segmentAttribute"], &draft["segments"]), (&json!("country"), &Value::Null));
    let edit = editor.patch(&path("/reviews"), &json!({ "audienceKey": null })).await;
    assert_eq!((edit.status, edit.pointers()), (422, vec!["/segmentAttribute".to_owned()]));
    // The audience may have changed since.
    editor.patch(&project("/audiences/nordic"), &json!({ "conditions": countries(&["SE"]) })).await.ok(200);
    let problem = editor.post(&path("/reviews/start"), &Value::Null).await.problem(409, "experiment-state");
    assert!(problem["detail"].as_str().unwrap().contains("cannot be started with its segments"), "{problem}");
    editor.patch(&project("/audiences/nordic"), &json!({ "conditions": countries(&["NO", "SE"]) })).await.ok(200);
    let started = editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
    assert_eq!(started["segments"], json!(["NO", "SE"]));
    editor.patch(&path("/reviews"), &json!({ "segmentAttribute": null })).await.problem(409, "experiment-state");
}

#[apply(on_default_database)]
async fn without_segments_there_is_none_in_results_and_an_edit_removes_them(database: Database) {
    let server = Server::start(&database).await;
    let editor = server.editor();
    add_audience(&editor, &["SE", "NO"]).await;
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    editor.post(&path(""), &by_country()).await.ok(201);
    let edited = editor.patch(&path("/reviews"), &json!({ "segmentAttribute": null })).await.ok(200);
    assert_eq!((&edited["segmentAttribute"], &edited["audienceKey"]), (&Value::Null, &json!("nordic")));
    editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
    assert_eq!(server.browser("staging").load(&user("SE")).await.experiments, [entry(&server, 0).await]);
    assert_eq!(editor.get(&path("/reviews/results")).await.ok(200)["segments"], Value::Null);
}

#[apply(on_each_database)]
async fn clients_learn_the_number_of_the_segment_at_once(database: Database) {
    let server = running(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    let swede = browser.load(&user("SE")).await;
    let entries = [entry(&server, 0).await, entry(&server, 1).await, entry(&server, 2).await];
    assert_eq!(swede.experiments, [entries[1].as_str()]);
    let norwegian = browser.load(&user("NO")).await;
    assert_eq!(norwegian.experiments, [entries[2].as_str()]);
    assert_ne!(swede.known_version().digest, norwegian.known_version().digest);
    assert!(browser.load(&user("DE")).await.experiments.is_empty());
    // Services that evaluate for themselves are told the values.
    let rules = server.server_key("staging").await.rules().await.ok(200);
    let feature = rules["features"].as_array().unwrap().iter().find(|feature| feature["key"] == "reviews").unwrap();
    assert_eq!(feature["experiment"]["segments"], json!({ "attribute": "country", "values": ["SE", "NO"] }));
    // The numbers stay when the audience changes. A value that it gets has none.
    let mut stream = browser.open(&browser.load(&user("DE")).await).await;
    let edit = json!({ "conditions": countries(&["DE", "NO", "SE"]) });
    editor.patch(&project("/audiences/nordic"), &edit).await.ok(200);
    assert_eq!(stream.next_event().await.data, json!({ "features": {}, "experiments": [entries[0]] }));
    assert_eq!(browser.load(&user("NO")).await.experiments, [entries[2].as_str()]);
}

#[apply(on_default_database)]
async fn results_have_exact_counts_of_each_segment(database: Database) {
    let server = running(&database).await;
    let browser = server.browser("staging");
    take_part(&browser, "reviews/1", "on", 60, 30).await;
    take_part(&browser, "reviews/1", "off", 50, 12).await;
    take_part(&browser, "reviews/2", "on", 20, 1).await;
    server.clock.set(Instant(NOW.0 + DAY_MS));
    take_part(&browser, "reviews/2", "off", 25, 3).await;
    // Without a segment, and with one that the experiment does not have.
    take_part(&browser, "reviews", "on", 3, 2).await;
    take_part(&browser, "reviews/3", "off", 4, 1).await;

    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    let participants =
        |variants: &Value| [&variants[0]["participants"], &variants[1]["participants"]].map(Value::clone);
    assert_eq!(participants(&results["variants"]), [json!(83), json!(79)]);
    assert_eq!(participants(&results["goals"][0]["variants"]), [json!(33), json!(16)]);
    let [swedes, norwegians] = &results["segments"].as_array().unwrap()[..] else { panic!("{results}") };
    assert_eq!((&swedes["value"], &norwegians["value"]), (&json!("SE"), &json!("NO")));
    assert_eq!(swedes["variants"], json!([{ "key": "on", "participants": 60 }, { "key": "off", "participants": 50 }]));
    assert_eq!(participants(&norwegians["variants"]), [json!(20), json!(25)]);
    let reached = &swedes["goals"][0]["variants"];
    assert_eq!(reached[0], json!({ "variantKey": "on", "participants": 30, "rate": 0.5, "times": 30 }));
    assert_eq!(participants(&norwegians["goals"][0]["variants"]), [json!(1), json!(3)]);

    // Two segments share the plan and the probability of an error.
    let arm = |participants, conversions| Arm::new(participants, conversions).unwrap();
    let expected = Sequence::new(5_000, ERROR / 2.0).unwrap().difference(arm(60, 30), arm(50, 12));
    let comparison = &swedes["goals"][0]["comparisons"][0];
    for (name, value) in [("lower", expected.lower), ("upper", expected.upper)] {
        assert!((comparison[name].as_f64().unwrap() - value).abs() < 1e-12, "{comparison}");
    }
}

#[apply(on_each_database)]
async fn a_participant_stays_in_the_segment_of_the_first_participation(database: Database) {
    let server = running(&database).await;
    let browser = server.browser("staging");
    let takes_part = |entry: &str, variant: &str| json!({ "feature": entry, "variant": variant, "userId": "ada" });
    let goal = json!({ "id": "goal-0001", "key": PURCHASE, "userId": "ada" });
    browser.report(&json!({ "participations": [takes_part("reviews/2", "on")] })).await.ok(202);
    browser.report(&json!({ "participations": [takes_part("reviews/1", "off")], "goals": [goal] })).await.ok(202);
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    let on = &results["variants"][0];
    assert_eq!((&on["participants"], &on["crossovers"]), (&json!(1), &json!(1)));
    let of = |segment: usize| {
        let segment = &results["segments"][segment];
        [&segment["variants"][0]["participants"], &segment["goals"][0]["variants"][0]["participants"]].map(Value::clone)
    };
    assert_eq!((of(0), of(1)), ([json!(0), json!(0)], [json!(1), json!(1)]));
}

#[apply(on_default_database)]
async fn an_edge_names_the_segment_and_forwards_it(database: Database) {
    let server = running(&database).await;
    let edge = Edge::of(&server).await;
    let browser = edge.browser(server.client_key("staging"));
    let norwegian = entry(&server, 2).await;
    assert_eq!(browser.load(&user("NO")).await.experiments, [norwegian.as_str()]);
    take_part(&browser, &norwegian, "off", 3, 1).await;
    eventually("all is counted", async || {
        let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
        let norwegians = &results["segments"][1];
        norwegians["variants"][1]["participants"] == 3 && norwegians["goals"][0]["variants"][1]["participants"] == 1
    })
    .await;
}

#[apply(on_default_database)]
async fn a_participation_that_names_no_segment_is_refused(database: Database) {
    let server = running(&database).await;
    let of_runs =
        ["reviews/1/", "reviews/1/x", "reviews/1/-7", "reviews/1/4294967296", "reviews/21/7", "reviews/1/7/7"];
    for entry in ["reviews/", "reviews/0", "reviews/21", "reviews/x", "/1", "/1/7", ""].iter().chain(&of_runs) {
        let participation = json!({ "feature": entry, "variant": "on", "userId": "ada" });
        let response = server.browser("staging").report(&json!({ "participations": [participation] })).await;
        assert_eq!(
            (response.status, response.pointers()),
            (422, vec!["/participations/0/feature".to_owned()]),
            "{entry}"
        );
    }
}
