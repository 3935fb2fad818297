//! Tabs that are hidden, put away and seen again, and networks that come back.

use super::*;

#[test]
fn a_hidden_tab_closes_its_stream_after_fifteen_seconds_and_catches_up() {
    let mut page = Page::streaming();
    page.session.seen(page.moment(), false);
    assert_eq!(page.effects(), [Effect::Start(Timer::Hidden, 15_000)]);
    page.elapse(Timer::Hidden, 15_000.0);
    assert!(page.effects().contains(&Effect::CloseStream));
    page.session.seen(page.moment(), true);
    assert!(page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_tab_that_is_seen_again_within_fifteen_seconds_keeps_its_stream() {
    let mut page = Page::streaming();
    page.session.seen(page.moment(), false);
    page.session.seen(page.moment(), true);
    let effects = page.effects();
    assert_eq!(effects, [Effect::Start(Timer::Hidden, 15_000), Effect::Stop(Timer::Hidden)]);
}

#[test]
fn a_page_from_the_back_forward_cache_catches_up() {
    let mut page = Page::streaming();
    page.session.leaving();
    assert!(page.effects().contains(&Effect::CloseStream));
    page.session.seen(page.moment(), true);
    assert!(page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_tab_opened_in_the_background_loads_and_does_not_listen() {
    let mut session = Session::new(true, Variants::default(), false);
    session.enter(user("alice"), None, None);
    let mut page = Page { session, now: 0.0 };
    page.answer(1, "a\0on");
    assert!(!page.effects().contains(&Effect::OpenStream));
    page.session.seen(page.moment(), true);
    assert!(page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_sleeping_tab_that_could_not_load_loads_when_it_is_seen() {
    let mut page = Page::live();
    page.session.leaving();
    page.effects();
    page.fail(0);
    assert_eq!(page.wait(Timer::Load), None);
    page.session.seen(page.moment(), true);
    assert!(page.effects().contains(&Effect::Load));
}

#[test]
fn a_network_that_is_back_renews_the_stream() {
    let mut page = Page::streaming();
    page.session.online(page.moment());
    let effects = page.effects();
    assert!(effects.contains(&Effect::CloseStream));
    assert!(effects.contains(&Effect::Start(Timer::Stream, 500)));
}
