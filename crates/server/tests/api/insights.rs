//! Insights: how often features are evaluated, by variant and kind of client, and which features are stale.

use std::time::Duration;

use flagservice_rules::Instant;
use flagservice_server::http::Settings;
use flagservice_server::serving::client_limits::{ChosenLimits, ClientLimits};
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fixture::{
    ApiResponse, Browser, Database, Edge, NOW, Server, ServerKey, at, environment, eventually, features,
    on_default_database, on_each_database,
};

/// Starts a server that asks so many of 100 pages.
async fn server_with(database: &Database, insights_percent: u8) -> Server {
    let limits = ClientLimits { insights_percent, ..ClientLimits::default() };
    Server::start_with(database, Settings { limits, ..Settings::default() }).await
}

async fn page(browser: &Browser, evaluations: Value) -> ApiResponse {
    browser.report(&json!({ "evaluations": evaluations })).await
}

async fn service(key: &ServerKey, id: &str, evaluations: Value) -> ApiResponse {
    let body = json!({ "id": id, "evaluations": evaluations });
    key.send(key.request(Method::POST, "/goals").json(&body)).await
}

async fn details(server: &Server, feature: &str, of: &str) -> Value {
    server.read_only().get(&features(&format!("/{feature}/environments/{of}/insights"))).await.ok(200)
}

/// A feature in the list of an environment.
async fn listed(server: &Server, feature: &str, of: &str) -> Option<Value> {
    let items = server.read_only().get(&environment(of, "/insights?limit=200")).await.items();
    items.into_iter().find(|item| item["featureKey"] == feature)
}

fn days_later(days: u64) -> Instant {
    Instant(NOW.0 + Duration::from_hours(24 * days).as_millis() as i64)
}

#[apply(on_default_database)]
async fn only_the_sample_of_loads_is_asked_for_a_summary(database: Database) {
    let body = r#"{"user":{"id":"ada"}}"#;
    let server = server_with(&database, 100).await;
    let asked = server.browser("staging").post_load(body).await.ok(200);
    assert_eq!(asked["insights"], 100);
    let server = Server::start(&database).await;
    let not_asked = server.browser("staging").post_load(body).await.ok(200);
    assert_eq!(not_asked.get("insights"), None);
    let server = server_with(&database, 50).await;
    let mut asked = 0;
    for _ in 0..200 {
        asked += usize::from(server.browser("staging").post_load(body).await.ok(200)["insights"] == 50);
    }
    // The probability of less or more is below 1 to a billion.
    assert!((58..=142).contains(&asked), "{asked}");
}

#[apply(on_each_database)]
async fn a_page_stands_for_as_many_as_were_not_asked(database: Database) {
    let server = server_with(&database, 50).await;
    let browser = server.browser("staging");
    for variant in ["on", "on", "off"] {
        page(&browser, json!({ "reviews": variant, "search-suggestions": "on" })).await.ok(202);
    }
    let details = details(&server, "reviews", "staging").await;
    let expected = json!([
        { "variantKey": "off", "browser": 2, "server": 0 },
        { "variantKey": "on", "browser": 4, "server": 0 },
    ]);
    let (hours, days) = (details["hours"].as_array().unwrap(), details["days"].as_array().unwrap());
    assert_eq!((hours.len(), days.len()), (24, 30));
    assert_eq!(hours[23], json!({ "startsAt": "2026-11-21T10:00:00Z", "evaluations": expected }));
    assert_eq!(days[29], json!({ "startsAt": "2026-11-21T00:00:00Z", "evaluations": expected }));
    assert_eq!(
        (&hours[0]["startsAt"], &days[0]["startsAt"]),
        (&json!("2026-11-20T11:00:00Z"), &json!("2026-10-23T00:00:00Z"))
    );
    assert!(hours[..23].iter().chain(&days[..29]).all(|interval| interval["evaluations"] == json!([])));
    let listed = listed(&server, "search-suggestions", "staging").await.unwrap();
    assert_eq!((listed["hours"][23].as_u64(), listed["hours"][22].as_u64()), (Some(6), Some(0)));
}

#[apply(on_default_database)]
async fn a_percentage_that_does_not_divide_100_counts_right_on_average(database: Database) {
    let server = server_with(&database, 30).await;
    let browser = server.browser("staging");
    for _ in 0..300 {
        page(&browser, json!({ "reviews": "on" })).await.ok(202);
    }
    let count = listed(&server, "reviews", "staging").await.unwrap()["hours"][23].as_u64().unwrap();
    // Each stands for 3 pages, and in a third of the cases for 4: 1,000 with a standard deviation of 8.2.
    assert!((945..=1_055).contains(&count), "{count}");
}

#[apply(on_each_database)]
async fn evaluations_of_services_count_exactly_and_once(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("staging").await;
    for (id, on) in [("summary-1", 120), ("summary-1", 120), ("summary-2", 5), ("summary-1", 7)] {
        service(&key, id, json!({ "reviews": { "on": on, "off": 3 } })).await.ok(202);
    }
    server.clock.set(at("2026-11-21T12:30:00Z"));
    service(&key, "summary-3", json!({ "reviews": { "off": 1 } })).await.ok(202);
    let details = details(&server, "reviews", "staging").await;
    let counts = |on: u64, off: u64| {
        json!([
            { "variantKey": "off", "browser": 0, "server": off },
            { "variantKey": "on", "browser": 0, "server": on },
        ])
    };
    assert_eq!(details["hours"][21]["evaluations"], counts(125, 6));
    assert_eq!(details["hours"][23]["evaluations"], json!([{ "variantKey": "off", "browser": 0, "server": 1 }]));
    assert_eq!(details["days"][29]["evaluations"], counts(125, 7));
    let seen = (&details["firstSeenAt"], &details["lastSeenAt"]);
    assert_eq!(seen, (&json!("2026-11-21T10:00:00Z"), &json!("2026-11-21T12:30:00Z")));
    assert_eq!(listed(&server, "reviews", "production").await.unwrap()["firstSeenAt"], Value::Null);
}

#[apply(on_default_database)]
async fn only_features_and_variants_of_the_environment_count(database: Database) {
    let server = server_with(&database, 100).await;
    page(&server.browser("staging"), json!({ "reviews": "blue", "none": "on", "a b": "on" })).await.ok(202);
    let key = server.server_key("staging").await;
    service(&key, "summary-1", json!({ "reviews": { "blue": 1 }, "none": { "on": 2 } })).await.ok(202);
    let items = server.read_only().get(&environment("staging", "/insights")).await.items();
    assert!(items.iter().all(|item| item["lastSeenAt"].is_null()), "{items:?}");
}

#[apply(on_default_database)]
async fn wrong_evaluations_are_named(database: Database) {
    let server = server_with(&database, 100).await;
    let (browser, key) = (server.browser("staging"), server.server_key("staging").await);
    assert_eq!(page(&browser, json!({ "reviews": { "on": 1 } })).await.pointers(), ["/evaluations"]);
    assert_eq!(service(&key, "summary-1", json!({ "reviews": "on" })).await.pointers(), ["/evaluations"]);
    assert_eq!(
        service(&key, "summary-1", json!({ "reviews": { "on": 4_294_967_296_u64 } })).await.pointers(),
        ["/evaluations"]
    );
    assert_eq!(service(&key, "short", json!({ "reviews": { "on": 1 } })).await.pointers(), ["/id"]);
    let many: Value = (0..1_001).map(|number| (format!("feature-{number}"), json!({ "on": 1 }))).collect();
    assert_eq!(service(&key, "summary-1", many).await.pointers(), ["/evaluations"]);
}

#[apply(on_each_database)]
async fn a_feature_with_one_variant_for_thirty_days_is_stale_and_one_that_nobody_evaluates(database: Database) {
    let server = Server::start(&database).await;
    let key = server.server_key("staging").await;
    let stale = async |feature: &str| listed(&server, feature, "staging").await.unwrap()["stale"].clone();
    service(&key, "summary-1", json!({ "reviews": { "on": 1 }, "loyalty-points": { "off": 1 } })).await.ok(202);
    assert_eq!((stale("reviews").await, stale("banner-color").await), (Value::Null, Value::Null));
    server.clock.set(days_later(29));
    service(&key, "summary-2", json!({ "reviews": { "on": 1 } })).await.ok(202);
    assert_eq!((stale("reviews").await, stale("loyalty-points").await), (Value::Null, Value::Null));
    server.clock.set(days_later(31));
    let same = json!({ "reason": "sameVariant", "variantKey": "on", "since": "2026-12-20T00:00:00Z" });
    assert_eq!((stale("reviews").await, &details(&server, "reviews", "staging").await["stale"]), (same.clone(), &same));
    let not_evaluated = json!({ "reason": "notEvaluated", "since": "2026-11-21T10:00:00Z" });
    assert_eq!(stale("loyalty-points").await, not_evaluated);
    assert_eq!(stale("banner-color").await["reason"], "notEvaluated");
    service(&key, "summary-3", json!({ "reviews": { "off": 1 }, "loyalty-points": { "on": 1 } })).await.ok(202);
    assert_eq!(stale("reviews").await, Value::Null);
    assert_eq!(stale("loyalty-points").await["variantKey"], "on");
}

#[apply(on_each_database)]
async fn archived_features_are_left_out_and_deleted_ones_leave_nothing(database: Database) {
    let server = Server::start(&database).await;
    let (administrator, key) = (server.administrator(), server.server_key("staging").await);
    service(&key, "summary-1", json!({ "reviews": { "on": 1 } })).await.ok(202);
    administrator.patch(&features("/reviews"), &json!({ "lifecycle": "Archived" })).await.ok(200);
    assert_eq!(listed(&server, "reviews", "staging").await, None);
    administrator.delete(&features("/reviews")).await.ok(204);
    let rows = server.stored_rows().await;
    for table in ["evaluation_hours", "evaluation_days", "feature_evaluations"] {
        assert_eq!(rows.count(table), 0, "{table}");
    }
}

#[apply(on_default_database)]
async fn summaries_reach_the_server_through_an_edge_each_once(database: Database) {
    let server = server_with(&database, 100).await;
    let edge = Edge::of(&server).await;
    let browser = edge.browser(server.client_key("production"));
    assert_eq!(browser.post_load(r#"{"user":{"id":"ada"}}"#).await.ok(200)["insights"], 100);
    for _ in 0..3 {
        page(&browser, json!({ "search-suggestions": "on" })).await.ok(202);
    }
    server.clock.set(at("2026-11-21T10:00:10Z"));
    let is_counted = async || listed(&server, "search-suggestions", "production").await.unwrap()["hours"][23] == 3;
    eventually("the evaluations are counted", is_counted).await;
    let other = Edge::with_limits(&server, ChosenLimits { insights_percent: Some(0), ..ChosenLimits::default() }).await;
    let browser = other.browser(server.client_key("production"));
    assert_eq!(browser.post_load(r#"{"user":{"id":"ada"}}"#).await.ok(200).get("insights"), None);
}

#[apply(on_default_database)]
async fn what_pages_have_evaluated_is_kept_when_the_server_stops(database: Database) {
    let server = server_with(&database, 100).await;
    page(&server.browser("staging"), json!({ "reviews": "on" })).await.ok(202);
    server.stop().await;
    let server = Server::start(&database).await;
    assert_eq!(listed(&server, "reviews", "staging").await.unwrap()["hours"][23], 1);
}
