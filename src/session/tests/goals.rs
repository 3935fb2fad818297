//! Goals: first attempts, retries, and closing pages.

use super::*;

fn sent(page: &mut Page) -> Vec<String> {
    let is_request = |effect| matches!(effect, Effect::SendGoals | Effect::SendBeacon);
    page.run().into_iter().filter(|(effect, _)| is_request(*effect)).map(|(_, body)| body).collect()
}

#[test]
fn a_goal_is_sent_at_once_even_if_features_could_not_be_loaded() {
    let mut page = Page::new();
    page.fail(0);
    page.session.goal("purchase", "1");
    let bodies = sent(&mut page);
    assert_eq!(bodies.len(), 1);
    assert!(bodies[0].contains(r#""key":"purchase","userId":"alice","features":{"known":"default"}"#));
}

#[test]
fn a_goal_is_retried_after_a_temporary_failure_only() {
    for (status, again) in
        [(NO_RESPONSE, true), (TIMED_OUT, true), (503, true), (429, true), (202, false), (422, false)]
    {
        let mut page = Page::with_open_stream();
        page.session.goal("purchase", "1");
        let first = sent(&mut page);
        page.session.goals_request_finished(page.moment(), status);
        assert_eq!(page.delay(Timer::Goals), again.then_some(500), "{status}");
        page.session.timer_fired(page.moment(), Timer::Goals);
        assert_eq!(sent(&mut page), if again { first } else { Vec::new() }, "{status}");
    }
}

#[test]
fn queued_goals_are_sent_when_the_page_leaves_and_when_the_client_closes() {
    let mut page = Page::with_open_stream();
    page.session.goal("one", "1");
    page.session.goals_request_finished(page.moment(), 0);
    page.effects();
    page.session.page_leaving();
    assert_eq!(sent(&mut page).len(), 1);
    page.session.close();
    assert_eq!(sent(&mut page).len(), 1);
}

#[test]
fn a_goal_recorded_while_the_page_leaves_is_sent_too() {
    let mut page = Page::with_open_stream();
    page.session.goal("clicked", "1");
    page.session.page_leaving();
    page.effects();
    page.session.goal("leaving", "2");
    let bodies = sent(&mut page);
    assert!(matches!(&bodies[..], [body] if body.contains("clicked") && body.contains("leaving")), "{bodies:?}");
}
