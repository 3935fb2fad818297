//! `POST /goals`: each goal counts once.

use std::collections::BTreeMap;

use flagservice_server::app::AppError;
use flagservice_server::app::serving::goal_writer;
use flagservice_server::domain::experiments::participation::ClientReport;
use flagservice_server::domain::goal::Goal;
use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::store::resources::goals;
use futures_util::{StreamExt as _, stream};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{Browser, Server, on_default_database, on_each_database};

/// How many requests are sent at once: the first byte of a new connection must come soon.
const AT_ONCE: usize = 32;

/// A goal of Alice with this id.
fn goal(id: &str, key: &str) -> Value {
    json!({ "id": id, "key": key, "userId": "alice", "features": { "new-checkout": "on" } })
}

/// The number of goals by key.
async fn counts(server: &Server) -> Vec<(String, u64)> {
    let mut connection = server.app.store.read().await.unwrap();
    let mut found = Vec::new();
    for environment in server.app.serving.snapshots.environments() {
        let counts = goals::counts(&mut connection, &environment, "", i64::MAX).await.unwrap();
        found.extend(counts.into_iter().map(|goal| (goal.key, goal.count)));
    }
    found.sort();
    found
}

fn count(key: &str, times: u64) -> (String, u64) {
    (key.to_owned(), times)
}

#[apply(on_default_database)]
async fn a_goal_counts_once_however_often_it_is_sent(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let twice = json!([goal("goal-0001", "purchase"), goal("goal-0001", "purchase"), goal("goal-0002", "purchase")]);
    assert_eq!(browser.goals(&twice).await.ok(202), json!({ "accepted": 3 }));
    assert_eq!(counts(&server).await, [count("purchase", 2)]);

    let again = json!([goal("goal-0002", "purchase"), goal("goal-0003", "signup")]);
    assert_eq!(browser.goals(&again).await.ok(202), json!({ "accepted": 2 }));
    assert_eq!(counts(&server).await, [count("purchase", 2), count("signup", 1)]);
}

#[apply(on_each_database)]
async fn a_goal_sent_by_concurrent_requests_counts_once(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let send = |browser: Browser| async move {
        browser.goals(&json!([goal("goal-0001", "purchase"), goal("goal-0002", "purchase")])).await.ok(202);
    };
    futures_util::future::join_all((0..10).map(|_| send(browser.clone()))).await;
    assert_eq!(counts(&server).await, [count("purchase", 2)]);
}

#[apply(on_each_database)]
async fn goals_of_concurrent_requests_are_all_counted(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let send = |browser: Browser, number: usize| async move {
        let goals = (0..3).map(|index| goal(&format!("goal-{number:03}-{index}"), "purchase"));
        browser.goals(&goals.collect()).await.ok(202);
    };
    stream::iter((0..150).map(|number| send(browser.clone(), number))).buffer_unordered(AT_ONCE).collect::<()>().await;
    assert_eq!(counts(&server).await, [count("purchase", 450)]);
}

#[apply(on_each_database)]
async fn goals_for_a_deleted_environment_do_not_affect_other_goals(database: Database) {
    let server = Server::start(&database).await;
    let deleted = EnvironmentId::from("gone".to_owned());
    let existing = server.app.serving.snapshots.environments().remove(0);
    let keep = |environment: &EnvironmentId, number: usize| {
        let (id, key, user_id) = (format!("goal-{number:04}"), "purchase".to_owned(), "alice".to_owned());
        let goal = Goal { id, key, user_id, features: BTreeMap::new() };
        let report = ClientReport { goals: vec![goal], ..ClientReport::default() };
        goal_writer::keep(&server.app, environment.clone(), report)
    };
    let stored_goals = (0..30).map(|number| keep(if number % 3 == 0 { &deleted } else { &existing }, number));
    for (number, outcome) in futures_util::future::join_all(stored_goals).await.into_iter().enumerate() {
        assert_eq!(matches!(outcome, Err(AppError::UnknownClientKey)), number % 3 == 0, "{outcome:?}");
        assert_eq!(outcome.is_ok(), number % 3 != 0);
    }
    assert_eq!(counts(&server).await, [count("purchase", 20)]);
}

#[apply(on_default_database)]
async fn the_same_id_in_another_environment_is_another_goal(database: Database) {
    let server = Server::start(&database).await;
    for environment in ["production", "staging"] {
        server.browser(environment).goals(&json!([goal("goal-0001", "purchase")])).await.ok(202);
    }
    assert_eq!(counts(&server).await, [count("purchase", 1), count("purchase", 1)]);
}

#[apply(on_default_database)]
async fn a_request_has_at_most_one_hundred_goals(database: Database) {
    let server = Server::start(&database).await;
    let goals =
        |number: usize| Value::from_iter((0..number).map(|index| goal(&format!("goal-{index:04}"), "purchase")));
    assert_eq!(server.browser("production").goals(&goals(101)).await.pointers(), ["/goals"]);
    assert_eq!(counts(&server).await, []);
    assert_eq!(server.browser("production").goals(&goals(100)).await.ok(202), json!({ "accepted": 100 }));
    assert_eq!(counts(&server).await, [count("purchase", 100)]);
}

#[apply(on_default_database)]
async fn an_invalid_goal_is_named_and_costs_no_other_one(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let long = "g".repeat(65);
    for id in ["", "goal-01", &long, "goal 0001", "goal/0001", "göal-0001"] {
        assert_eq!(browser.goals(&json!([goal(id, "purchase")])).await.pointers(), ["/goals/0/id"], "{id}");
    }
    let mut of_long_user = goal("goal-0002", "purchase");
    of_long_user["userId"] = json!("u".repeat(1_001));
    let goals = json!([goal("goal-0001", "purchase"), of_long_user, goal("goal-0003", &"k".repeat(201))]);
    let kept = browser.goals(&goals).await.ok(202);
    let named: Vec<_> = kept["errors"].as_array().unwrap().iter().map(|error| &error["pointer"]).collect();
    assert_eq!(
        (&kept["accepted"], named.as_slice()),
        (&json!(1), [&json!("/goals/1/userId"), &json!("/goals/2/key")].as_slice())
    );
    assert_eq!(counts(&server).await, [count("purchase", 1)]);
    assert_eq!(browser.goals(&json!([goal("goal-0001", "")])).await.pointers(), ["/goals/0/key"]);
    let anonymous = json!([{ "id": "goal-0001", "key": "purchase" }]);
    assert_eq!(browser.goals(&anonymous).await.pointers(), ["/goals/0"]);
    for id in ["goal-001", &"g".repeat(64), "A-Z_az09"] {
        browser.goals(&json!([goal(id, "purchase")])).await.ok(202);
    }
    assert_eq!(counts(&server).await, [count("purchase", 4)]);
}

/// Not every database can store NUL characters.
#[apply(on_default_database)]
async fn a_goal_with_a_nul_character_is_rejected_with_its_pointer(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    assert_eq!(browser.goals(&json!([goal("goal-0001", "a\u{0}b")])).await.pointers(), ["/goals/0/key"]);
    let mut nobody = goal("goal-0001", "purchase");
    nobody["userId"] = json!("a\u{0}b");
    assert_eq!(browser.goals(&json!([nobody])).await.pointers(), ["/goals/0/userId"]);
    assert_eq!(counts(&server).await, []);
}

#[apply(on_default_database)]
async fn unknown_fields_are_ignored(database: Database) {
    let server = Server::start(&database).await;
    let mut new = goal("goal-0001", "purchase");
    new["value"] = json!(12.5);
    server.browser("production").goals(&json!([new])).await.ok(202);
    assert_eq!(counts(&server).await, [count("purchase", 1)]);
}

#[apply(on_default_database)]
async fn a_body_of_more_than_64_kib_is_too_large(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let post = |body: String| browser.request(Method::POST, "/goals").header("content-type", "text/plain").body(body);
    let body = json!({ "goals": [goal("goal-0001", "purchase")] }).to_string();
    let padded = |length: usize| format!("{body}{}", " ".repeat(length - body.len()));
    browser.send(post(padded(64 * 1024 + 1))).await.problem(413, "too-large");
    assert_eq!(counts(&server).await, []);
    browser.send(post(padded(64 * 1024))).await.ok(202);
    assert_eq!(counts(&server).await, [count("purchase", 1)]);
}

#[apply(on_default_database)]
async fn an_unknown_client_key_cannot_send_goals(database: Database) {
    let server = Server::start(&database).await;
    let goals = json!([goal("goal-0001", "purchase")]);
    server.browser_with("js-nobody").goals(&goals).await.problem(404, "unknown-client-key");
    assert_eq!(counts(&server).await, []);
}
