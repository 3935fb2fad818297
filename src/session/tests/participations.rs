//! Participations: which evaluations are reported, when, and with which goals.

use super::*;

fn participation(variant: &str) -> String {
    format!(r#"{{"feature":"checkout","variant":"{variant}","userId":"alice"}}"#)
}

fn body(variant: &str) -> String {
    format!(r#"{{"participations":[{}]}}"#, participation(variant))
}

/// The bodies of the requests, after the timer of the queue has fired if it was started.
fn sent(page: &mut Page) -> Vec<String> {
    let mut bodies = Vec::new();
    for (effect, text) in page.run() {
        if matches!(effect, Effect::SendGoals | Effect::SendBeacon) {
            bodies.push(text);
        } else if effect == Effect::StartTimer(Timer::Goals, 0) {
            page.session.timer_fired(page.moment(), Timer::Goals);
        }
    }
    let is_request = |(effect, _): &(Effect, String)| *effect == Effect::SendGoals;
    bodies.extend(page.run().into_iter().filter(is_request).map(|(_, text)| text));
    bodies
}

/// A client after a load with the experiment.
fn page_with_experiment() -> Page {
    let mut page = Page::new();
    page.respond_with(1, values("a\0on\0checkout\0teal", Some("checkout")));
    assert!(sent(&mut page).is_empty(), "nothing was evaluated");
    page
}

/// The request in flight has ended.
fn settle(page: &mut Page) {
    page.session.goals_request_finished(page.moment(), 202);
}

fn patch(page: &mut Page, version: u32, features: &str, experiments: Option<&str>) {
    page.session.receive(since(version), values(features, experiments), false);
}

#[test]
fn a_participation_is_reported_once_for_each_user_feature_and_variant() {
    let mut page = page_with_experiment();
    page.session.evaluated("checkout", "teal");
    assert_eq!(sent(&mut page), [body("teal")]);
    settle(&mut page);
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty());
    page.session.evaluated("a", "on");
    assert!(sent(&mut page).is_empty(), "no experiment runs with it");
    patch(&mut page, 2, "checkout\0red", None);
    assert!(sent(&mut page).is_empty(), "the user was not shown the variant yet");
    page.session.evaluated("checkout", "red");
    assert_eq!(sent(&mut page), [body("red")]);
    settle(&mut page);
    patch(&mut page, 3, "checkout\0teal", None);
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty());
}

#[test]
fn a_participation_names_the_segment_that_the_service_gives() {
    let mut page = Page::new();
    page.respond_with(1, values("checkout\0teal", Some("checkout/12")));
    page.session.evaluated("checkout", "teal");
    assert_eq!(sent(&mut page), [body("teal").replace("checkout", "checkout/12")]);
    settle(&mut page);
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty());
}

#[test]
fn what_one_task_evaluates_is_one_request() {
    let mut page = Page::new();
    page.respond_with(1, values("a\0on\0checkout\0teal", Some("a checkout")));
    page.effects();
    page.session.evaluated("checkout", "teal");
    page.session.evaluated("a", "on");
    let other = r#"{"feature":"a","variant":"on","userId":"alice"}"#;
    assert_eq!(sent(&mut page), [format!(r#"{{"participations":[{},{other}]}}"#, participation("teal"))]);
}

#[test]
fn what_was_evaluated_before_the_list_is_reported_if_the_service_serves_the_same_variant() {
    for (evaluated, expected) in [("teal", vec![body("teal")]), ("default", Vec::new())] {
        let mut page = Page::new();
        page.session.evaluated("checkout", evaluated);
        assert!(sent(&mut page).is_empty());
        page.respond_with(1, values("checkout\0teal", Some("checkout")));
        assert_eq!(sent(&mut page), expected, "{evaluated}");
    }
}

#[test]
fn an_experiment_that_begins_counts_the_variant_that_the_user_was_last_shown() {
    let mut page = Page::new();
    page.respond(1, "checkout\0teal");
    page.session.evaluated("checkout", "teal");
    patch(&mut page, 2, "checkout\0red", None);
    page.session.evaluated("checkout", "red");
    assert!(sent(&mut page).is_empty(), "no experiment runs");
    patch(&mut page, 3, "checkout\0teal", Some("checkout"));
    assert!(sent(&mut page).is_empty(), "the user was last shown another variant");
    patch(&mut page, 4, "checkout\0red", None);
    assert_eq!(sent(&mut page), [body("red")]);
}

#[test]
fn an_experiment_that_ends_by_a_patch_or_by_all_values_without_it_is_no_longer_reported() {
    let mut page = page_with_experiment();
    patch(&mut page, 2, "", Some(""));
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty());
    let mut page = page_with_experiment();
    page.session.receive(since(2), values("checkout\0teal", None), true);
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty());
    let mut page = page_with_experiment();
    page.session.receive(since(0), values("checkout\0teal", Some("")), true);
    page.session.evaluated("checkout", "teal");
    assert_eq!(sent(&mut page), [body("teal")], "older values are ignored");
}

#[test]
fn another_user_takes_part_for_themself() {
    let mut page = page_with_experiment();
    page.session.evaluated("checkout", "teal");
    assert_eq!(sent(&mut page), [body("teal")]);
    settle(&mut page);
    page.session.set_user(user("bob"), None, Some(map("checkout\0teal")));
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty(), "the service has not said yet that bob takes part");
    page.respond_with(2, values("checkout\0teal", Some("checkout")));
    assert_eq!(sent(&mut page), [body("teal").replace("alice", "bob")]);
    settle(&mut page);
    page.session.set_user(user("carol"), None, None);
    page.respond_with(3, values("checkout\0teal", Some("checkout")));
    assert!(sent(&mut page).is_empty(), "carol was shown nothing");
    page.session.set_user(user("alice"), None, None);
    page.respond_with(4, values("checkout\0teal", Some("checkout")));
    page.session.evaluated("checkout", "teal");
    assert!(sent(&mut page).is_empty(), "alice was reported before");
}

#[test]
fn a_goal_that_was_reached_before_a_participation_is_in_an_earlier_request() {
    let mut page = page_with_experiment();
    page.session.goal("before", "1");
    let first = sent(&mut page);
    assert!(first[0].starts_with(r#"{"goals":[{"id":"1""#), "{first:?}");
    page.session.goal("also-before", "2");
    page.session.evaluated("checkout", "teal");
    page.session.goal("after", "3");
    assert!(sent(&mut page).is_empty(), "one request at a time");
    settle(&mut page);
    let second = sent(&mut page);
    assert!(
        second.len() == 1 && second[0].contains("also-before") && !second[0].contains("teal\",\"userId"),
        "{second:?}"
    );
    settle(&mut page);
    let third = sent(&mut page);
    let start = format!(r#"{{"participations":[{}],"goals":[{{"id":"3""#, participation("teal"));
    assert!(third.len() == 1 && third[0].starts_with(&start), "{third:?}");
}

#[test]
fn a_goal_takes_the_participations_before_it_along() {
    let mut page = page_with_experiment();
    page.session.evaluated("checkout", "teal");
    page.session.goal("after", "1");
    let bodies = sent(&mut page);
    let start = format!(r#"{{"participations":[{}],"goals":[{{"id":"1""#, participation("teal"));
    assert!(bodies.len() == 1 && bodies[0].starts_with(&start), "{bodies:?}");
}

#[test]
fn a_participation_is_retried_after_a_temporary_failure_only() {
    for (status, again) in [(0, true), (503, true), (429, true), (202, false), (422, false)] {
        let mut page = page_with_experiment();
        page.session.evaluated("checkout", "teal");
        let first = sent(&mut page);
        page.session.goals_request_finished(page.moment(), status);
        assert_eq!(page.delay(Timer::Goals), again.then_some(500), "{status}");
        page.session.timer_fired(page.moment(), Timer::Goals);
        assert_eq!(sent(&mut page), if again { first } else { Vec::new() }, "{status}");
    }
}

#[test]
fn a_participation_does_not_shorten_the_delay_of_a_retry() {
    let mut page = page_with_experiment();
    page.session.goal("purchase", "1");
    page.effects();
    page.session.goals_request_finished(page.moment(), 0);
    page.effects();
    page.session.evaluated("checkout", "teal");
    assert_eq!(page.delay(Timer::Goals), None);
}

#[test]
fn a_page_that_leaves_sends_everything_in_order() {
    let mut page = page_with_experiment();
    page.session.goal("before", "1");
    page.effects();
    page.session.evaluated("checkout", "teal");
    page.session.page_leaving();
    let bodies = sent(&mut page);
    assert_eq!(bodies.len(), 2);
    assert!(bodies[0].contains("before"));
    assert_eq!(bodies[1], body("teal"));
    page.session.receive(since(2), values("checkout\0red", None), false);
    assert!(sent(&mut page).is_empty());
    page.session.evaluated("checkout", "red");
    assert_eq!(sent(&mut page).len(), 2, "also what is evaluated while it leaves");
}

#[test]
fn a_client_that_closes_sends_what_was_evaluated_last() {
    let mut page = page_with_experiment();
    page.session.evaluated("checkout", "teal");
    page.effects();
    page.session.close();
    assert_eq!(sent(&mut page), [body("teal")]);
}
