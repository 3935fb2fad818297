//! Hidden, left and restored pages, and networks that come back.

use super::*;

#[test]
fn a_hidden_tab_closes_its_stream_after_15_s_and_catches_up() {
    let mut page = Page::with_open_stream();
    page.session.visibility_changed(page.moment(), false);
    assert_eq!(page.effects(), [Effect::StartTimer(Timer::Hidden, 15_000)]);
    page.fire_after(Timer::Hidden, 15_000.0);
    assert!(page.effects().contains(&Effect::CloseStream));
    page.session.visibility_changed(page.moment(), true);
    assert!(page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_tab_that_is_visible_again_within_15_s_keeps_its_stream() {
    let mut page = Page::with_open_stream();
    page.session.visibility_changed(page.moment(), false);
    page.session.visibility_changed(page.moment(), true);
    let effects = page.effects();
    assert_eq!(effects, [Effect::StartTimer(Timer::Hidden, 15_000), Effect::StopTimer(Timer::Hidden)]);
}

#[test]
fn a_page_restored_from_the_back_forward_cache_catches_up() {
    let mut page = Page::with_open_stream();
    page.session.page_leaving();
    assert!(page.effects().contains(&Effect::CloseStream));
    page.session.visibility_changed(page.moment(), true);
    assert!(page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_tab_opened_in_the_background_loads_but_opens_no_stream() {
    let mut session = Session::new(true, true, true, Variants::default(), false);
    session.set_user(user("alice"), None, None);
    let mut page = Page { session, now: 0.0 };
    page.respond(1, "a\0on");
    assert!(!page.effects().contains(&Effect::OpenStream));
    page.session.visibility_changed(page.moment(), true);
    assert!(page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_suspended_tab_whose_load_failed_loads_when_it_is_visible() {
    let mut page = Page::new();
    page.session.page_leaving();
    page.effects();
    page.fail(0);
    assert_eq!(page.delay(Timer::Load), None);
    page.session.visibility_changed(page.moment(), true);
    assert!(page.effects().contains(&Effect::Load));
}

#[test]
fn the_stream_is_reopened_when_the_network_is_back() {
    let mut page = Page::with_open_stream();
    page.session.online(page.moment());
    let effects = page.effects();
    assert!(effects.contains(&Effect::CloseStream));
    assert!(effects.contains(&Effect::StartTimer(Timer::Stream, 500)));
}
