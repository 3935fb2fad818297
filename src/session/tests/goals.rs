//! Goals: at once, again, and from a closing page.

use super::*;

fn sent(page: &mut Page) -> Vec<String> {
    let body =
        |effect| if let Effect::SendGoals(body) | Effect::SendLastGoals(body) = effect { Some(body) } else { None };
    page.effects().into_iter().filter_map(body).collect()
}

#[test]
fn a_goal_is_sent_at_once_also_when_features_could_not_be_loaded() {
    let mut page = Page::live();
    page.fail(0);
    page.session.goal("purchase", [1; 16]);
    let bodies = sent(&mut page);
    assert_eq!(bodies.len(), 1);
    assert!(bodies[0].contains(r#""key":"purchase","userId":"alice","features":{"known":"default"}"#));
}

#[test]
fn a_goal_is_sent_again_after_a_network_failure() {
    for (status, again) in [(0, true), (503, true), (429, true), (202, false), (422, false)] {
        let mut page = Page::streaming();
        page.session.goal("purchase", [1; 16]);
        let first = sent(&mut page);
        page.session.goals_ended(page.moment(), status);
        assert_eq!(page.wait(Timer::Goals), again.then_some(500), "{status}");
        page.session.elapsed(page.moment(), Timer::Goals);
        assert_eq!(sent(&mut page), if again { first } else { Vec::new() }, "{status}");
    }
}

#[test]
fn goals_survive_a_closing_page_and_a_close() {
    let mut page = Page::streaming();
    page.session.goal("one", [1; 16]);
    page.session.goals_ended(page.moment(), 0);
    page.effects();
    page.session.leaving();
    assert_eq!(sent(&mut page).len(), 1);
    page.session.close();
    assert_eq!(sent(&mut page).len(), 1);
}

#[test]
fn a_goal_of_a_page_that_is_already_leaving_is_sent_with_it() {
    let mut page = Page::streaming();
    page.session.goal("clicked", [1; 16]);
    page.session.leaving();
    page.effects();
    page.session.goal("leaving", [2; 16]);
    let bodies = sent(&mut page);
    assert!(matches!(&bodies[..], [body] if body.contains("clicked") && body.contains("leaving")), "{bodies:?}");
}
