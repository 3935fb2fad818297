//! Participation: clients learn of experiments, each participant counts once, with the first variant, and goals from then on.

use std::collections::BTreeSet;

use flagservice_rules::Instant;
use futures_util::{StreamExt as _, stream};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use super::{PURCHASE, entry, path, prepare, reviews, run};
use crate::fixture::{
    Browser, Edge, NOW, Server, condition, eventually, everyone, on_default_database, on_each_database, project, split,
    targeting, targeting_of,
};

fn takes_part(user: &str, variant: &str) -> Value {
    json!({ "feature": "reviews", "variant": variant, "userId": user })
}

fn goal(id: &str, key: &str, user: &str) -> Value {
    json!({ "id": id, "key": key, "userId": user })
}

async fn report(browser: &Browser, participations: &[Value], goals: &[Value]) {
    browser.report(&json!({ "participations": participations, "goals": goals })).await.ok(202);
}

/// Participants and crossovers by variant: of `on`, then of `off`.
async fn participants(server: &Server) -> [(u64, u64); 2] {
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    ["on", "off"].map(|key| {
        let variants = results["variants"].as_array().unwrap();
        let variant = variants.iter().find(|variant| variant["key"] == key).unwrap();
        (variant["participants"].as_u64().unwrap(), variant["crossovers"].as_u64().unwrap())
    })
}

/// Participants who reached the first goal, and how often: with `on`, then with `off`.
async fn conversions(server: &Server, goal: usize) -> [(u64, u64); 2] {
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    ["on", "off"].map(|key| {
        let variants = results["goals"][goal]["variants"].as_array().unwrap();
        let variant = variants.iter().find(|variant| variant["variantKey"] == key).unwrap();
        (variant["participants"].as_u64().unwrap(), variant["times"].as_u64().unwrap())
    })
}

#[apply(on_each_database)]
async fn clients_learn_at_once_of_an_experiment_that_starts_and_stops(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    prepare(&editor, &reviews()).await;
    let before = browser.load_id("ada").await;
    let text = browser.post_load(r#"{"user":{"id":"ada"}}"#).await.text;
    assert!(before.experiments.is_empty() && !text.contains("experiments"));
    let mut stream = browser.open(&before).await;
    editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
    let event = stream.next_event().await;
    let entry = entry(&server, 0).await;
    assert_eq!((event.name.as_str(), &event.data), ("patch", &json!({ "features": {}, "experiments": [entry] })));

    let loaded = browser.load_id("ada").await;
    assert_eq!((&loaded.features, loaded.experiments.as_slice()), (&before.features, &[entry.clone()][..]));
    assert_eq!(event.since(), loaded.known_version());
    // Other values as far as the client is concerned.
    let event = browser.open_at(&loaded.token, &before.since).await.next_event().await;
    assert_eq!((event.name.as_str(), &event.data["experiments"]), ("put", &json!([entry])));
    assert_eq!(event.since(), loaded.known_version());

    editor.post(&path("/reviews/stop"), &json!({})).await.ok(200);
    let event = stream.next_event().await;
    assert_eq!((event.name.as_str(), &event.data), ("patch", &json!({ "features": {}, "experiments": [] })));
    let after = browser.load_id("ada").await;
    assert!(after.experiments.is_empty());
    assert_eq!(after.known_version().digest, before.known_version().digest);
}

#[apply(on_default_database)]
async fn only_users_of_the_audience_take_part_as_it_is_now(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    let swedes = |country: &str| json!({ "conditions": [condition("country", "equals", json!([country]))] });
    let mut audience = swedes("SE");
    (audience["key"], audience["name"]) = (json!("swedes"), json!("Swedes"));
    editor.post(&project("/audiences"), &audience).await.ok(201);
    let mut experiment = reviews();
    experiment["audienceKey"] = json!("swedes");
    run(&server, &experiment).await;
    let user = |country: &str| json!({ "id": "ada", "attributes": { "country": country } });
    assert!(browser.load(&user("NO")).await.experiments.is_empty());
    let swede = browser.load(&user("SE")).await;
    let entry = entry(&server, 0).await;
    assert_eq!(swede.experiments, [entry.as_str()]);
    let mut stream = browser.open(&swede).await;
    // Services that evaluate for themselves are told the conditions.
    let rules = server.server_key("staging").await.rules().await.ok(200);
    let feature = rules["features"].as_array().unwrap().iter().find(|feature| feature["key"] == "reviews").unwrap();
    assert_eq!(feature["experiment"]["audience"], audience["conditions"]);
    editor.patch(&project("/audiences/swedes"), &swedes("NO")).await.ok(200);
    assert_eq!(stream.next_event().await.data, json!({ "features": {}, "experiments": [] }));
    assert_eq!(browser.load(&user("NO")).await.experiments, [entry]);
}

#[apply(on_default_database)]
async fn only_users_whom_a_rule_splits_take_part_as_the_rules_are_now(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    run(&server, &reviews()).await;
    let user = |plan: &str| json!({ "id": "ada", "attributes": { "plan": plan } });
    let loaded = browser.load(&user("free")).await;
    let entry = entry(&server, 0).await;
    assert_eq!(loaded.experiments, [entry.as_str()]);
    let mut stream = browser.open(&loaded).await;
    let mut of_pro = split(50.0, 50.0);
    of_pro["conditions"] = json!([condition("plan", "equals", json!(["pro"]))]);
    editor.put(&targeting_of("reviews", "staging"), &targeting(&[of_pro])).await.ok(200);
    assert_eq!(stream.next_event().await.data["experiments"], json!([]));
    assert!(browser.load(&user("free")).await.experiments.is_empty());
    assert_eq!(browser.load(&user("pro")).await.experiments, [entry]);
}

#[apply(on_each_database)]
async fn each_participant_counts_once_with_the_first_variant(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    run(&server, &reviews()).await;
    report(&browser, &[takes_part("ada", "on"), takes_part("ada", "on"), takes_part("eve", "off")], &[]).await;
    report(&browser, &[takes_part("ada", "on")], &[]).await;
    assert_eq!(participants(&server).await, [(1, 0), (1, 0)]);
    // Another variant later, or in the same report, counts once as a crossover.
    report(&browser, &[takes_part("ada", "off"), takes_part("bob", "off"), takes_part("bob", "on")], &[]).await;
    report(&browser, &[takes_part("ada", "off"), takes_part("bob", "on")], &[]).await;
    assert_eq!(participants(&server).await, [(1, 1), (2, 1)]);
    // What the experiment does not have is ignored.
    let unknown = json!({ "feature": "new-checkout", "variant": "on", "userId": "ann" });
    report(&browser, &[takes_part("ann", "plum"), unknown], &[]).await;
    assert_eq!(participants(&server).await, [(1, 1), (2, 1)]);
}

#[apply(on_each_database)]
async fn participations_of_concurrent_requests_count_once(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    run(&server, &reviews()).await;
    let send = |number: usize| {
        let browser = browser.clone();
        async move {
            let user = format!("user-{}", number % 40);
            report(&browser, &[takes_part(&user, "on")], &[goal(&format!("goal-{number:04}"), PURCHASE, &user)]).await;
        }
    };
    // The first byte of a new connection must come soon.
    stream::iter((0..200).map(send)).buffer_unordered(32).collect::<()>().await;
    assert_eq!(participants(&server).await, [(40, 0), (0, 0)]);
    assert_eq!(conversions(&server, 0).await, [(40, 200), (0, 0)]);
}

#[apply(on_each_database)]
async fn each_run_has_an_entry_of_its_own_and_reports_of_an_ended_run_do_not_count_in_the_next(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    run(&server, &reviews()).await;
    let of = |entry: &str, user: &str| json!({ "feature": entry, "variant": "on", "userId": user });
    let first = entry(&server, 0).await;
    assert_eq!(browser.load_id("ada").await.experiments, [first.as_str()]);
    report(&browser, &[of(&first, "ada")], &[]).await;
    assert_eq!(participants(&server).await, [(1, 0), (0, 0)]);
    editor.post(&path("/reviews/stop"), &json!({})).await.ok(200);

    let mut stream = browser.open(&browser.load_id("ada").await).await;
    let mut next = reviews();
    next["key"] = json!("next");
    editor.post(&path(""), &next).await.ok(201);
    editor.post(&path("/next/start"), &Value::Null).await.ok(200);
    let second = entry(&server, 0).await;
    assert_ne!(first, second);
    assert_eq!(stream.next_event().await.data["experiments"], json!([second]));
    let counted = async || {
        let results = server.read_only().get(&path("/next/results")).await.ok(200);
        results["variants"][0]["participants"].as_u64().unwrap()
    };
    report(&browser, &[of(&first, "eve")], &[]).await;
    assert_eq!(counted().await, 0);
    // A client that was sent no run may report without one.
    report(&browser, &[of(&second, "ada"), of("reviews", "bob")], &[]).await;
    assert_eq!(counted().await, 2);
    assert_eq!(participants(&server).await, [(1, 0), (0, 0)]);
}

#[apply(on_default_database)]
async fn goals_count_for_participants_from_the_first_participation_on(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    run(&server, &reviews()).await;
    report(&browser, &[], &[goal("goal-0001", PURCHASE, "ada")]).await;
    report(&browser, &[takes_part("ada", "on"), takes_part("eve", "off")], &[]).await;
    assert_eq!(conversions(&server, 0).await, [(0, 0), (0, 0)]);
    // In one request, participations come first.
    let goals = [goal("goal-0002", PURCHASE, "ada"), goal("goal-0003", PURCHASE, "ada"), goal("goal-0004", "x", "ada")];
    report(&browser, &[takes_part("bob", "off")], &[&goals[..], &[goal("goal-0005", PURCHASE, "bob")]].concat()).await;
    assert_eq!(conversions(&server, 0).await, [(1, 2), (1, 1)]);
    // A goal that is sent again does not count again, and one of somebody else never.
    let again =
        [goal("goal-0002", PURCHASE, "ada"), goal("goal-0006", PURCHASE, "ann"), goal("goal-0007", "complaint", "eve")];
    report(&browser, &[], &again).await;
    assert_eq!(conversions(&server, 0).await, [(1, 2), (1, 1)]);
    assert_eq!(conversions(&server, 1).await, [(0, 0), (1, 1)]);
    // After the end nothing counts.
    server.editor().post(&path("/reviews/stop"), &json!({})).await.ok(200);
    report(&browser, &[takes_part("ann", "on")], &[goal("goal-0008", PURCHASE, "eve")]).await;
    assert_eq!(conversions(&server, 0).await, [(1, 2), (1, 1)]);
    assert_eq!(participants(&server).await, [(1, 0), (2, 0)]);
}

#[apply(on_default_database)]
async fn a_report_with_an_invalid_participation_names_it(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    let long = "u".repeat(1_001);
    for (participation, pointer) in [
        (json!({ "feature": "", "variant": "on", "userId": "ada" }), "/participations/0/feature"),
        (json!({ "feature": "reviews", "variant": "no key!", "userId": "ada" }), "/participations/0/variant"),
        (json!({ "feature": "reviews", "variant": "on", "userId": long }), "/participations/0/userId"),
    ] {
        let refused = browser.report(&json!({ "participations": [participation] })).await;
        assert_eq!((refused.status, refused.pointers()), (422, vec![pointer.to_owned()]));
    }
    let many: Vec<_> = (0..101).map(|_| takes_part("ada", "on")).collect();
    let refused = browser.report(&json!({ "participations": many })).await;
    assert_eq!((refused.status, refused.pointers()), (422, vec!["/participations".to_owned()]));
    // Unknown fields are ignored, as in goals.
    let mut more = takes_part("ada", "on");
    more["later"] = json!(true);
    let accepted = browser.report(&json!({ "participations": [more] })).await.ok(202);
    assert_eq!(accepted, json!({ "accepted": 0 }));
}

#[apply(on_default_database)]
async fn a_user_is_stored_only_as_a_number_that_the_database_alone_does_not_tell(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    run(&server, &reviews()).await;
    let before = server.stored_rows().await;
    report(&browser, &[takes_part("a-user-id", "on")], &[]).await;
    let differences = before.differences(&server.stored_rows().await);
    let tables: BTreeSet<_> = differences.iter().map(|row| row.split(':').next().unwrap()).collect();
    assert_eq!(tables, BTreeSet::from(["experiment_days", "participants"]));
    assert!(differences.iter().all(|row| !row.contains("a-user-id")), "{differences:?}");
}

#[apply(on_each_database)]
async fn an_erased_user_is_no_participant_any_longer_and_the_counts_stay(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    run(&server, &reviews()).await;
    report(&browser, &[takes_part("ada", "on"), takes_part("eve", "on")], &[goal("goal-0001", PURCHASE, "ada")]).await;
    let before = server.stored_rows().await;
    let erased = server.administrator().post("/api/v1/erasures", &json!({ "userId": "ada" })).await.ok(200);
    assert_eq!(erased["removed"], json!({ "goals": 1, "participants": 1 }));
    let after = server.stored_rows().await;
    let rows = |table: &str| (before.count(table), after.count(table));
    assert_eq!((rows("participants"), rows("conversions")), ((2, 1), (1, 0)));
    assert_eq!(participants(&server).await, [(2, 0), (0, 0)]);
    assert_eq!(conversions(&server, 0).await, [(1, 1), (0, 0)]);
}

#[apply(on_each_database)]
async fn participants_are_known_after_the_keys_of_the_database_were_replaced(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    run(&server, &reviews()).await;
    report(&browser, &[takes_part("ada", "on")], &[]).await;
    flagservice_server::app::secrets::key_change::rotate(&server.app).await.unwrap();
    report(&browser, &[takes_part("ada", "on"), takes_part("eve", "off")], &[]).await;
    assert_eq!(participants(&server).await, [(1, 0), (1, 0)]);
}

#[apply(on_each_database)]
async fn an_edge_passes_on_who_takes_part_and_in_which_order(database: Database) {
    let server = Server::start(&database).await;
    prepare(&server.editor(), &reviews()).await;
    let edge = Edge::of(&server).await;
    let browser = edge.browser(server.client_key("staging"));
    let loaded = browser.load_id("ada").await;
    let mut stream = browser.open(&loaded).await;
    server.editor().post(&path("/reviews/start"), &Value::Null).await.ok(200);
    let entry = entry(&server, 0).await;
    assert_eq!(stream.next_event().await.data, json!({ "features": {}, "experiments": [entry] }));
    assert_eq!(browser.load_id("ada").await.experiments, [entry.as_str()]);
    report(&browser, &[], &[goal("goal-0001", PURCHASE, "ada"), goal("goal-0002", PURCHASE, "eve")]).await;
    let of_run = |user: &str, variant: &str| json!({ "feature": entry, "variant": variant, "userId": user });
    report(&browser, &[of_run("ada", "on")], &[goal("goal-0003", PURCHASE, "ada")]).await;
    report(&browser, &[of_run("eve", "off")], &[]).await;
    eventually("all is reported", async || edge.files("goals").is_empty()).await;
    eventually("all is counted", async || participants(&server).await == [(1, 0), (1, 0)]).await;
    assert_eq!(conversions(&server, 0).await, [(1, 1), (0, 0)]);
}

#[apply(on_default_database)]
async fn a_change_of_the_targeting_is_noticed(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &reviews()).await;
    let results = async || server.read_only().get(&path("/reviews/results")).await.ok(200);
    assert_eq!(results().await["targetingChanged"], false);
    assert_ne!(results().await["split"], Value::Null);
    server.editor().put(&targeting_of("reviews", "staging"), &targeting(&[split(60.0, 40.0)])).await.ok(200);
    assert_eq!(results().await["targetingChanged"], true);
    // What is counted from now on belongs to another split than the one to be tested.
    assert_eq!(results().await["split"], Value::Null);
    server.editor().post(&path("/reviews/stop"), &json!({})).await.ok(200);
    assert_eq!((&results().await["targetingChanged"], &results().await["split"]), (&json!(true), &Value::Null));
}

#[apply(on_each_database)]
async fn a_change_of_the_targeting_after_the_stop_does_not_touch_the_results(database: Database) {
    let server = Server::start(&database).await;
    run(&server, &reviews()).await;
    report(&server.browser("staging"), &[takes_part("ada", "on")], &[]).await;
    server.editor().post(&path("/reviews/stop"), &json!({ "decisionVariantKey": "on" })).await.ok(200);
    let before = server.read_only().get(&path("/reviews/results")).await.ok(200);
    assert_eq!(before["targetingChanged"], false);
    server.editor().put(&targeting_of("reviews", "staging"), &targeting(&[everyone("on")])).await.ok(200);
    assert_eq!(server.read_only().get(&path("/reviews/results")).await.ok(200), before);
}

#[apply(on_each_database)]
async fn participants_go_some_time_after_the_stop_and_with_a_deleted_experiment_and_others_stay(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.editor(), server.browser("staging"));
    run(&server, &reviews()).await;
    report(&browser, &[takes_part("ada", "on"), takes_part("eve", "on")], &[goal("goal-0001", PURCHASE, "ada")]).await;
    editor.post(&path("/reviews/stop"), &json!({})).await.ok(200);
    let mut second = reviews();
    second["key"] = json!("second");
    editor.post(&path(""), &second).await.ok(201);
    editor.post(&path("/second/start"), &Value::Null).await.ok(200);
    report(&browser, &[takes_part("ada", "on")], &[goal("goal-0002", PURCHASE, "ada")]).await;
    let rows = async || {
        let rows = server.stored_rows().await;
        (rows.count("participants"), rows.count("conversions"))
    };
    assert_eq!(rows().await, (3, 2));
    let after = |days: i64| Instant(NOW.0 + (days * 24 + 1) * 60 * 60 * 1000);
    server.clock.set(after(89));
    server.clock.set(after(90));
    eventually("the first experiment's participants are gone", async || rows().await == (1, 1)).await;
    assert_eq!(participants(&server).await, [(2, 0), (0, 0)], "results stay");
    editor.post(&path("/second/stop"), &json!({})).await.ok(200);
    editor.delete(&path("/second")).await.ok(204);
    server.clock.set(after(91));
    eventually("the deleted experiment's participants are gone", async || rows().await == (0, 0)).await;
}
