//! A public client key can store a limited number of goals, and they are deleted after a time.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;

use flagservice_rules::Instant;
use flagservice_server::app::AppError;
use flagservice_server::app::serving::goal_writer;
use flagservice_server::domain::experiments::participation::ClientReport;
use flagservice_server::domain::goal::Goal;
use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::ClientLimits;
use flagservice_server::store::resources::goals;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::fixture::{
    GOAL_RETENTION, HANG_TIMEOUT, NOW, Server, environment, on_default_database, on_each_database, on_sqlite, split,
    targeting, targeting_of,
};

/// The most keys of goals in an environment.
const KEYS: usize = 1_000;

/// How many goals may wait to be written.
const QUEUE: usize = 10_000;

fn goal(id: &str, key: &str) -> Value {
    json!({ "id": id, "key": key, "userId": "alice" })
}

/// So many goals with the same key.
fn goals_with(prefix: &str, key: &str, count: usize) -> Value {
    (0..count).map(|number| goal(&format!("{prefix}-{number:05}"), key)).collect()
}

/// The keys that the list of goals has, with their counts, on all pages.
async fn listed(server: &Server) -> BTreeMap<String, u64> {
    let (mut all, mut cursor) = (BTreeMap::new(), String::new());
    loop {
        let path = environment("production", &format!("/goals?limit=200{cursor}"));
        let page = server.read_only().get(&path).await.ok(200);
        for item in page["items"].as_array().unwrap() {
            all.insert(item["key"].as_str().unwrap().to_owned(), item["count"].as_u64().unwrap());
        }
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

async fn production(server: &Server) -> EnvironmentId {
    let id = server.read_only().get(&environment("production", "")).await.ok(200)["id"].clone();
    EnvironmentId::from(id.as_str().unwrap().to_owned())
}

#[apply(on_default_database)]
async fn features_and_variants_that_do_not_exist_are_left_out_of_a_goal(database: Database) {
    let server = Server::start(&database).await;
    let features = json!({
        "new-checkout": "on", "banner-color": "plum", "reviews": "purple", "nothing": "on", "": "", "gift-cards": "off",
    });
    let mut sent = goal("goal-0001", "purchase");
    sent["features"] = features;
    server.browser("production").goals(&json!([sent])).await.ok(202);
    let items = server.read_only().get(&environment("production", "/goals")).await.items();
    let counted = json!({ "new-checkout": { "on": 1 }, "banner-color": { "plum": 1 }, "gift-cards": { "off": 1 } });
    assert_eq!(items[0]["features"], counted);
}

#[apply(on_default_database)]
async fn the_key_and_the_user_of_a_goal_have_a_longest_length(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let long = "ä".repeat(201);
    assert_eq!(browser.goals(&json!([goal("goal-0001", &long)])).await.pointers(), ["/goals/0/key"]);
    let mut of_long_user = goal("goal-0001", "purchase");
    of_long_user["userId"] = json!("a".repeat(1_001));
    assert_eq!(browser.goals(&json!([of_long_user])).await.pointers(), ["/goals/0/userId"]);
    browser.goals(&json!([goal("goal-0001", &"ä".repeat(200))])).await.ok(202);
    assert_eq!(listed(&server).await.len(), 1);
}

#[apply(on_default_database)]
async fn keys_that_an_earlier_release_stored_do_not_break_the_pages_of_the_list(database: Database) {
    let server = Server::start(&database).await;
    let id = production(&server).await;
    let mut write = server.app.store.write().await.unwrap();
    for number in 0..300_u32 {
        let key = if number % 3 == 0 { format!("{number:03}{}", "k".repeat(60_000)) } else { format!("{number:03}") };
        let (id_of_goal, user_id) = (format!("goal-{number:05}"), "alice".to_owned());
        let old = Goal { id: id_of_goal, key, user_id, features: BTreeMap::new() };
        goals::insert(write.connection().await.unwrap(), &[(&id, &old)], NOW).await.unwrap();
    }
    write.commit().await.unwrap();
    assert_eq!(listed(&server).await.len(), 200);
}

#[apply(on_default_database)]
async fn goals_over_the_limit_of_an_environment_are_refused_and_do_not_affect_another(database: Database) {
    // Long before there is room for a hundred goals again, the second request has come.
    let limits = ClientLimits { goals_per_minute: NonZeroU32::new(110).unwrap(), ..ClientLimits::default() };
    let server = Server::start_with(&database, Settings { limits, ..Settings::default() }).await;
    let browser = server.browser("production");
    browser.goals(&goals_with("one", "purchase", 100)).await.ok(202);
    let refused = browser.goals(&goals_with("two", "purchase", 100)).await;
    let problem = refused.problem(429, "too-many-requests");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{problem}");
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    browser.goals(&goals_with("three", "purchase", 10)).await.ok(202);
    assert_eq!(listed(&server).await["purchase"], 110);
    server.browser("staging").goals(&goals_with("two", "purchase", 100)).await.ok(202);
}

#[apply(on_default_database)]
async fn goals_with_more_keys_than_an_environment_may_have_are_not_stored(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let keys = |from: usize, to: usize| {
        (from..to).map(|number| goal(&format!("goal-{number:05}"), &format!("key-{number:05}"))).collect::<Value>()
    };
    for hundred in 0..KEYS / 100 {
        let accepted = browser.goals(&keys(hundred * 100, (hundred + 1) * 100)).await.ok(202);
        assert_eq!(accepted, json!({ "accepted": 100 }));
    }
    assert_eq!(browser.goals(&keys(KEYS, KEYS + 50)).await.ok(202), json!({ "accepted": 0 }));
    let mixed = json!([goal("again-0001", "key-00007"), goal("again-0002", "one-more")]);
    assert_eq!(browser.goals(&mixed).await.ok(202), json!({ "accepted": 1 }));
    let listed = listed(&server).await;
    assert_eq!((listed.len(), listed["key-00007"]), (KEYS, 2));
    server.browser("staging").goals(&keys(KEYS, KEYS + 50)).await.ok(202);
    let metrics = server.anonymous().get("/metrics").await.text;
    assert!(metrics.contains("flagservice_goals_dropped_total 51"), "{metrics}");
}

#[apply(on_each_database)]
async fn goals_of_a_running_experiment_are_stored_and_count_whatever_keys_were_invented_before(database: Database) {
    let server = Server::start(&database).await;
    let (editor, browser) = (server.production_editor(), server.browser("production"));
    let keys: Value = (0..KEYS).map(|number| goal(&format!("goal-{number:05}"), &format!("key-{number:05}"))).collect();
    for hundred in keys.as_array().unwrap().chunks(100) {
        browser.goals(&json!(hundred)).await.ok(202);
    }
    editor.put(&targeting_of("reviews", "production"), &targeting(&[split(50.0, 50.0)])).await.ok(200);
    let goals = json!([{ "key": "purchase", "role": "primary" }, { "key": "complaint", "role": "guard" }]);
    let experiment = json!({ "key": "reviews", "name": "Reviews", "featureKey": "reviews", "goals": goals });
    let path = |rest: &str| environment("production", &format!("/experiments{rest}"));
    editor.post(&path(""), &experiment).await.ok(201);
    let sent = json!([goal("new-000001", "purchase"), goal("new-000002", "complaint"), goal("new-000003", "invented")]);
    assert_eq!(browser.goals(&sent).await.ok(202), json!({ "accepted": 0 }));

    editor.post(&path("/reviews/start"), &Value::Null).await.ok(200);
    let participation = json!({ "feature": "reviews", "variant": "on", "userId": "alice" });
    let report = json!({ "participations": [participation], "goals": sent });
    assert_eq!(browser.report(&report).await.ok(202), json!({ "accepted": 2 }));
    let results = server.read_only().get(&path("/reviews/results")).await.ok(200);
    let reached = [0, 1].map(|goal: usize| results["goals"][goal]["variants"][0]["participants"].clone());
    assert_eq!(reached, [json!(1), json!(1)]);
    assert_eq!(listed(&server).await.len(), KEYS + 2);
}

#[apply(on_each_database)]
async fn goals_are_deleted_after_their_retention_and_make_room_for_other_keys(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let keys: Value = (0..KEYS).map(|number| goal(&format!("goal-{number:05}"), &format!("key-{number:05}"))).collect();
    for hundred in keys.as_array().unwrap().chunks(100) {
        browser.goals(&json!(hundred)).await.ok(202);
    }
    let day_ms = 24 * 60 * 60 * 1000;
    let retention_ms = i64::try_from(GOAL_RETENTION.as_millis()).unwrap();
    server.clock.set(Instant(NOW.0 + retention_ms - day_ms));
    browser.goals(&json!([goal("late-0001", "key-00007")])).await.ok(202);
    server.clock.set(Instant(NOW.0 + retention_ms + 2 * day_ms));
    let deleted = async {
        while listed(&server).await != BTreeMap::from([("key-00007".to_owned(), 1)]) {
            tokio::task::yield_now().await;
        }
        // Keys follow their last goals.
        while browser.goals(&json!([goal("new-00001", "another")])).await.ok(202) == json!({ "accepted": 0 }) {}
    };
    tokio::time::timeout(HANG_TIMEOUT, deleted).await.expect("the goals are deleted");
    assert_eq!(listed(&server).await["another"], 1);
}

/// Lets reports of a hundred goals wait until no other one has room, while one is being written. Returns their outcomes.
async fn fill_queue(server: &Server) -> Vec<Pin<Box<impl Future<Output = Result<usize, AppError>> + use<>>>> {
    let environment = production(server).await;
    let mut waiting = Vec::new();
    while waiting.len() <= QUEUE / 100 {
        let of = |number: usize| Goal {
            id: format!("filling-{:03}-{number:03}", waiting.len()),
            key: "purchase".to_owned(),
            user_id: "alice".to_owned(),
            features: BTreeMap::new(),
        };
        let report = ClientReport { goals: (0..100).map(of).collect(), ..ClientReport::default() };
        let (app, environment) = (Arc::clone(&server.app), environment.clone());
        let mut kept = Box::pin(async move { goal_writer::keep(&app, environment, report).await });
        match (&mut kept).now_or_never() {
            None => waiting.push(kept),
            // The writer has not taken the first one yet.
            Some(Err(AppError::GoalQueueFull)) => tokio::task::yield_now().await,
            Some(other) => panic!("{other:?}"),
        }
    }
    waiting
}

#[apply(on_sqlite)]
async fn goals_that_find_the_queue_full_are_refused_and_no_accepted_goal_is_lost(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    // Nothing can be written meanwhile.
    let other = server.app.store.write().await.unwrap();
    let waiting = fill_queue(&server).await;
    let refused = browser.goals(&goals_with("refused", "purchase", 100)).await;
    refused.problem(503, "goal-queue-full");
    assert_eq!(refused.header("retry-after"), Some("1"));
    drop(other);
    let accepted = waiting.len() as u64 * 100;
    for kept in join_all(waiting).await {
        assert_eq!(kept.unwrap(), 100);
    }
    assert_eq!(listed(&server).await["purchase"], accepted);
    assert_eq!(browser.goals(&goals_with("refused", "purchase", 100)).await.ok(202), json!({ "accepted": 100 }));
    assert_eq!(listed(&server).await["purchase"], accepted + 100);
}
