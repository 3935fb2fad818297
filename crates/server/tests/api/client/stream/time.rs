//! Time conditions change values on open streams without a write.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::fixture::{Server, at, condition, on_default_database, rule, targeting, targeting_of};

const MILLISECOND: i64 = 1;

#[apply(on_default_database)]
async fn a_time_window_opens_and_closes_on_open_streams_without_a_write(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;

    // The condition is: after 1 December 00:00 UTC, exclusive.
    server.clock.set(at("2026-12-01T00:00:00Z"));
    server.switch_search_suggestions("production", false).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "off" }));
    server.clock.set(flagservice_rules::Instant(at("2026-12-01T00:00:00Z").0 + MILLISECOND));
    let begun = stream.next_event().await;
    assert_eq!(*begun.features(), json!({ "winter-sale": "on" }));
    assert_eq!(begun.id, Some(browser.load_id("alice").await.since));

    // And before 6 January 00:00 UTC. The dark roast weekend has passed in between.
    server.clock.set(flagservice_rules::Instant(at("2027-01-06T00:00:00Z").0 - MILLISECOND));
    server.switch_search_suggestions("production", true).await;
    assert_eq!(stream.patch().await, json!({ "search-suggestions": "on" }));
    server.clock.set(at("2027-01-06T00:00:00Z"));
    assert_eq!(stream.patch().await, json!({ "winter-sale": "off" }));
}

#[apply(on_default_database)]
async fn a_time_condition_with_an_offset_changes_at_that_instant(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    // From 12 December 00:00+01:00 to 14 December 00:00+01:00.
    server.clock.set(at("2026-12-11T22:59:59.999Z"));
    assert_eq!(stream.patch().await, json!({ "winter-sale": "on" }));
    server.clock.set(at("2026-12-11T23:00:00.001Z"));
    assert_eq!(stream.patch().await, json!({ "dark-roast-weekend": "on" }));
    server.clock.set(at("2026-12-13T23:00:00Z"));
    assert_eq!(stream.patch().await, json!({ "dark-roast-weekend": "off" }));
}

#[apply(on_default_database)]
async fn an_hour_condition_changes_every_day(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    // The clock is at 10:00.
    let afternoon = condition("flagservice.hourofday", "greaterThanOrEqual", json!([12]));
    let rules = [rule(&[afternoon])];
    server.editor().put(&targeting_of("gift-cards", "staging"), &targeting(&rules)).await.ok(200);
    let mut stream = browser.open(&browser.load_id("alice").await).await;
    for (instant, variant) in [
        ("2026-11-21T12:00:00Z", "on"),
        ("2026-11-22T00:00:00Z", "off"),
        ("2026-11-22T12:00:00Z", "on"),
        ("2026-11-23T03:30:00Z", "off"),
    ] {
        server.clock.set(at(instant));
        assert_eq!(stream.patch().await, json!({ "gift-cards": variant }), "{instant}");
    }
}

#[apply(on_default_database)]
async fn a_client_that_reconnects_after_a_time_change_gets_the_current_values(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("production");
    server.clock.set(at("2026-11-30T23:00:00Z"));
    let loaded = browser.load_id("alice").await;
    server.clock.set(at("2026-12-01T01:00:00Z"));
    let mut stream = browser.open(&loaded).await;
    let mut expected = loaded.features;
    expected.insert("winter-sale".to_owned(), "on".to_owned());
    assert_eq!(stream.put().await, json!(expected));
}

#[apply(on_default_database)]
async fn a_time_change_is_sent_only_to_users_who_match_the_other_conditions(database: Database) {
    let server = Server::start(&database).await;
    let browser = server.browser("staging");
    let conditions =
        [condition("plan", "equals", json!(["pro"])), condition("flagservice.date", "after", json!(["2026-11-22"]))];
    server.editor().put(&targeting_of("gift-cards", "staging"), &targeting(&[rule(&conditions)])).await.ok(200);
    let (pro, free) = (json!({ "id": "a", "attributes": { "plan": "pro" } }), json!({ "id": "a" }));
    let mut paying = browser.open(&browser.load(&pro).await).await;
    let mut other = browser.open(&browser.load(&free).await).await;
    server.clock.set(at("2026-11-22T10:00:00Z"));
    assert_eq!(paying.patch().await, json!({ "gift-cards": "on" }));
    server.switch_search_suggestions("staging", false).await;
    assert_eq!(other.patch().await, json!({ "search-suggestions": "off" }));
}
