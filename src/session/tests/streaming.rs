//! The stream: updates, reconnection, silence, and what it asks for.

use super::*;

#[test]
fn an_update_names_exactly_the_features_that_differ() {
    let mut page = Page::streaming();
    page.session.receive(since(2), map("a\0off\0b\0on"), true);
    let effects = page.effects();
    assert_eq!(effects, [Effect::Store, Effect::Emit(Event::UpdatedFeature, "a\0off\0".into())]);
    assert_eq!(page.session.stream_query(), format!("?token=token-1&since={EPOCH}.2.1"));
    page.session.receive(since(3), map("a\0off"), true);
    assert_eq!(page.events(), [(Event::UpdatedFeature, "b\0off\0".into())], "a deleted feature disappears");
    assert_eq!(page.in_force(), "a\0off\0");
}

#[test]
fn a_broken_stream_is_opened_again_with_the_latest_point() {
    let mut page = Page::streaming();
    page.session.receive(since(2), map("a\0off"), true);
    let moment = page.after(60_000.0);
    page.session.stream_failed(moment);
    assert_eq!(page.wait(Timer::Stream), Some(500));
    page.elapse(Timer::Stream, 500.0);
    assert!(page.effects().contains(&Effect::OpenStream));
    assert!(page.session.stream_query().ends_with(&since(2)));
}

#[test]
fn two_failed_opens_lead_to_a_fresh_load() {
    let mut page = Page::live();
    page.answer(1, "a\0on");
    page.effects();
    page.session.stream_failed(page.moment());
    page.elapse(Timer::Stream, 500.0);
    assert!(page.effects().contains(&Effect::OpenStream));
    page.session.stream_failed(page.moment());
    assert_eq!(page.wait(Timer::Load), Some(1_000));
    page.elapse(Timer::Load, 1_000.0);
    assert!(page.effects().contains(&Effect::Load));
    page.answer(1, "a\0off");
    let told = page.events();
    assert_eq!(told, [(Event::UpdatedFeature, "a\0off\0".into())], "no INIT: nobody was told of a gap");
}

#[test]
fn an_error_is_followed_by_init_when_the_service_is_back() {
    let mut page = Page::streaming();
    page.session.stream_ended(page.moment(), 0);
    page.session.elapsed(page.moment(), Timer::Load);
    page.fail(0);
    page.session.elapsed(page.moment(), Timer::Load);
    page.effects();
    page.answer(2, "a\0off\0b\0on");
    assert_eq!(names(page.events()), [&[Event::UpdatedFeature], LOADED.as_slice()].concat());
}

#[test]
fn a_server_that_drops_every_stream_is_asked_ever_more_rarely() {
    let mut page = Page::streaming();
    let mut asked = 0;
    while page.now < 60_000.0 {
        page.session.stream_failed(page.moment());
        let wait = page.wait(Timer::Stream).unwrap_or(60_000);
        page.elapse(Timer::Stream, f64::from(wait));
        page.session.stream_lives(page.moment());
        asked += 1;
    }
    // 0.5 + 1 + 2 + 4 + 8 + 15 + 15 s are 45.5 s, and the next wait ends at 60.5 s.
    assert_eq!(asked, 8);
}

#[test]
fn a_stream_that_lived_ends_the_row_of_failures() {
    let mut page = Page::streaming();
    for _ in 0..5 {
        page.session.stream_failed(page.moment());
        page.elapse(Timer::Stream, 0.0);
        page.session.stream_lives(page.moment());
    }
    page.effects();
    let moment = page.after(10_000.0);
    page.session.stream_failed(moment);
    assert_eq!(page.wait(Timer::Stream), Some(500));
}

#[test]
fn after_fifty_seconds_of_silence_it_reconnects() {
    let mut page = Page::streaming();
    let moment = page.after(20_000.0);
    page.session.stream_lives(moment);
    page.elapse(Timer::Stream, 30_000.0);
    assert_eq!(page.effects(), [Effect::Start(Timer::Stream, 20_001)], "30 s after the last sign of life");
    page.elapse(Timer::Stream, 20_001.0);
    assert!(page.effects().contains(&Effect::CloseStream));
}

#[test]
fn a_clock_that_is_set_back_does_not_stretch_the_wait() {
    let mut page = Page::streaming();
    page.elapse(Timer::Stream, -3_600_000.0);
    assert_eq!(page.effects(), [Effect::Start(Timer::Stream, 50_001)]);
}

#[test]
fn reload_leads_to_a_fresh_load_not_before_its_time() {
    let mut page = Page::streaming();
    page.session.stream_ended(page.moment(), 1_500);
    let effects = page.effects();
    assert!(effects.contains(&Effect::CloseStream));
    assert!(effects.contains(&Effect::Start(Timer::Load, 1_500 + 500)), "and spread over another second");
}

#[test]
fn changed_leads_to_one_load_and_leaves_the_stream_open() {
    let mut page = Page::streaming();
    page.session.stream_signalled(page.moment());
    page.session.stream_signalled(page.moment());
    assert_eq!(page.effects(), [Effect::Start(Timer::Load, 500)]);
    page.session.elapsed(page.moment(), Timer::Load);
    page.effects();
    page.session.stream_signalled(page.moment());
    assert_eq!(page.effects(), [], "the load under way may be too old");
    page.answer(2, "a\0off\0b\0on");
    let effects = page.effects();
    assert!(!effects.contains(&Effect::OpenStream));
    assert_eq!(effects.last(), Some(&Effect::Start(Timer::Load, 500)));
}
