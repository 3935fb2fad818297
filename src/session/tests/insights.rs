//! Insights: when the service gets a summary of what a page has evaluated.

use super::*;

/// The bodies of the beacons.
fn beacons(page: &mut Page) -> Vec<String> {
    let is_beacon = |effect| effect == Effect::SendBeacon;
    page.run().into_iter().filter(|(effect, _)| is_beacon(*effect)).map(|(_, body)| body).collect()
}

/// The response to the load in flight, which asks for a summary if the page is `sampled`.
fn load(page: &mut Page, version: u32, sampled: bool) {
    let features = values("a\0on\0checkout\0teal", None);
    let response =
        LoadResponse { values: features, since: since(version), token: "token".to_owned(), insights: sampled };
    page.session.loaded(page.moment(), page.session.load_number(), 200, Ok(response));
    page.effects();
}

/// A client after a load that asks for a summary.
fn sampled_page() -> Page {
    let mut page = Page::new();
    load(&mut page, 1, true);
    page
}

fn evaluate_both(page: &mut Page) {
    page.session.evaluated("checkout", "teal");
    page.session.evaluated("a", "on");
}

fn hide(page: &mut Page) {
    page.session.visibility_changed(page.moment(), false);
}

const BOTH: &str = r#"{"evaluations":{"a":"on","checkout":"teal"}}"#;

#[test]
fn a_page_that_was_asked_sends_one_summary_when_it_is_hidden_next() {
    let mut page = sampled_page();
    evaluate_both(&mut page);
    assert!(beacons(&mut page).is_empty(), "it is visible");
    hide(&mut page);
    assert_eq!(beacons(&mut page), [BOTH]);
    page.session.visibility_changed(page.moment(), true);
    page.session.evaluated("a", "off");
    hide(&mut page);
    page.session.page_leaving();
    page.session.close();
    assert!(beacons(&mut page).is_empty(), "it was asked once");
}

#[test]
fn a_page_that_was_not_asked_sends_nothing() {
    let mut page = Page::new();
    load(&mut page, 1, false);
    evaluate_both(&mut page);
    hide(&mut page);
    page.session.page_leaving();
    page.session.set_user(user("bob"), None, None);
    page.session.close();
    assert!(beacons(&mut page).is_empty());
}

#[test]
fn a_summary_has_the_variant_that_was_shown_last() {
    let mut page = Page::new();
    page.session.evaluated("checkout", "default");
    load(&mut page, 1, true);
    page.session.evaluated("checkout", "teal");
    hide(&mut page);
    assert_eq!(beacons(&mut page), [r#"{"evaluations":{"checkout":"teal"}}"#]);
}

#[test]
fn without_an_evaluation_nothing_is_sent() {
    let mut page = sampled_page();
    hide(&mut page);
    page.session.page_leaving();
    page.session.close();
    assert!(beacons(&mut page).is_empty());
}

#[test]
fn a_page_that_leaves_and_a_client_that_closes_send_the_summary() {
    for end in [Session::page_leaving, Session::close] {
        let mut page = sampled_page();
        evaluate_both(&mut page);
        end(&mut page.session);
        assert_eq!(beacons(&mut page), [BOTH]);
    }
}

#[test]
fn the_summary_of_a_user_is_sent_before_the_next_user_is_shown_anything() {
    let mut page = sampled_page();
    evaluate_both(&mut page);
    page.session.set_user(user("bob"), None, None);
    page.session.evaluated("a", "off");
    assert_eq!(beacons(&mut page), [BOTH]);
    load(&mut page, 2, false);
    hide(&mut page);
    assert!(beacons(&mut page).is_empty(), "the load of bob did not ask");
    page.session.set_user(user("carol"), None, None);
    page.session.evaluated("a", "on");
    load(&mut page, 3, true);
    hide(&mut page);
    assert_eq!(beacons(&mut page), [r#"{"evaluations":{"a":"on"}}"#]);
}

#[test]
fn a_later_load_that_does_not_ask_leaves_the_summary_due() {
    let mut page = sampled_page();
    evaluate_both(&mut page);
    page.session.set_user(user("alice"), None, None);
    load(&mut page, 2, false);
    hide(&mut page);
    assert_eq!(beacons(&mut page), [BOTH]);
}

#[test]
fn a_client_without_insights_sends_no_summary() {
    let mut page = Page { session: Session::new(true, true, false, Variants::default(), true), now: 0.0 };
    page.session.set_user(user("alice"), None, None);
    load(&mut page, 1, true);
    evaluate_both(&mut page);
    hide(&mut page);
    page.session.close();
    assert!(beacons(&mut page).is_empty());
}

#[test]
fn a_summary_fits_into_what_a_closing_page_may_send() {
    let mut page = sampled_page();
    for number in 0..5_000 {
        page.session.evaluated(&format!("feature-{number:05}"), "on");
    }
    hide(&mut page);
    let bodies = beacons(&mut page);
    assert!(bodies[0].len() <= 60_000 && bodies[0].len() > 59_000, "{}", bodies[0].len());
    assert!(serde_json::from_str::<serde_json::Value>(&bodies[0]).is_ok());
}

#[test]
fn queued_goals_are_sent_in_a_beacon_of_their_own() {
    let mut page = sampled_page();
    evaluate_both(&mut page);
    page.session.goal("purchase", "1");
    page.session.page_leaving();
    let bodies = beacons(&mut page);
    assert!(bodies.len() == 2 && bodies[0] == BOTH && bodies[1].contains("purchase"), "{bodies:?}");
}
