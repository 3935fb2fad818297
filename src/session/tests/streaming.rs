//! The stream: updates, reconnection, silence, and the loads it asks for.

use super::*;

#[test]
fn an_update_reports_exactly_the_changed_features() {
    let mut page = Page::with_open_stream();
    page.session.receive(since(2), values("a\0off\0b\0on", None), true);
    let update = (Effect::Emit(Event::UpdatedFeature), r#"{"a":"off"}"#.into());
    assert_eq!(page.run(), [(Effect::WriteCache, String::new()), update]);
    assert_eq!(page.session.stream_query(), format!("?token=token-1&since={EPOCH}.2.1"));
    page.session.receive(since(3), values("a\0off", None), true);
    assert_eq!(page.events(), [(Event::UpdatedFeature, r#"{"b":"off"}"#.into())], "a deleted feature disappears");
    assert_eq!(page.current_features(), "a\0off\0");
}

#[test]
fn a_broken_stream_reopens_with_the_latest_known_version() {
    let mut page = Page::with_open_stream();
    page.session.receive(since(2), values("a\0off", None), true);
    let moment = page.advance(60_000.0);
    page.session.stream_failed(moment);
    assert_eq!(page.delay(Timer::Stream), Some(500));
    page.fire_after(Timer::Stream, 500.0);
    assert!(page.effects().contains(&Effect::OpenStream));
    assert!(page.session.stream_query().ends_with(&since(2)));
}

#[test]
fn two_failed_opens_cause_a_load() {
    let mut page = Page::new();
    page.respond(1, "a\0on");
    page.effects();
    page.session.stream_failed(page.moment());
    page.fire_after(Timer::Stream, 500.0);
    assert!(page.effects().contains(&Effect::OpenStream));
    page.session.stream_failed(page.moment());
    assert_eq!(page.delay(Timer::Load), Some(1_000));
    page.fire_after(Timer::Load, 1_000.0);
    assert!(page.effects().contains(&Effect::Load));
    page.respond(1, "a\0off");
    let events = page.events();
    assert_eq!(events, [(Event::UpdatedFeature, r#"{"a":"off"}"#.into())], "no INIT: no ERROR was emitted");
}

#[test]
fn init_follows_an_error_when_the_service_is_back() {
    let mut page = Page::with_open_stream();
    page.session.stream_reload(page.moment(), 0);
    page.session.timer_fired(page.moment(), Timer::Load);
    page.fail(0);
    page.session.timer_fired(page.moment(), Timer::Load);
    page.effects();
    page.respond(2, "a\0off\0b\0on");
    assert_eq!(names(page.events()), [&[Event::UpdatedFeature], LOADED.as_slice()].concat());
}

#[test]
fn the_delay_grows_while_the_server_drops_every_stream() {
    let mut page = Page::with_open_stream();
    let mut opened = 0;
    while page.now < 60_000.0 {
        page.session.stream_failed(page.moment());
        let delay = page.delay(Timer::Stream).unwrap_or(60_000);
        page.fire_after(Timer::Stream, f64::from(delay));
        page.session.stream_alive(page.moment());
        opened += 1;
    }
    // 0.5 + 1 + 2 + 4 + 8 + 15 + 15 s are 45.5 s, and the next delay ends at 60.5 s.
    assert_eq!(opened, 8);
}

#[test]
fn a_stream_open_for_10_s_resets_the_failures() {
    let mut page = Page::with_open_stream();
    for _ in 0..5 {
        page.session.stream_failed(page.moment());
        page.fire_after(Timer::Stream, 0.0);
        page.session.stream_alive(page.moment());
    }
    page.effects();
    let moment = page.advance(10_000.0);
    page.session.stream_failed(moment);
    assert_eq!(page.delay(Timer::Stream), Some(500));
}

#[test]
fn it_reconnects_after_50_s_of_silence() {
    let mut page = Page::with_open_stream();
    let moment = page.advance(20_000.0);
    page.session.stream_alive(moment);
    page.fire_after(Timer::Stream, 30_000.0);
    assert_eq!(page.effects(), [Effect::StartTimer(Timer::Stream, 20_001)], "30 s after the last event");
    page.fire_after(Timer::Stream, 20_001.0);
    assert!(page.effects().contains(&Effect::CloseStream));
}

#[test]
fn setting_the_clock_back_does_not_extend_the_silence_timeout() {
    let mut page = Page::with_open_stream();
    page.fire_after(Timer::Stream, -3_600_000.0);
    assert_eq!(page.effects(), [Effect::StartTimer(Timer::Stream, 50_001)]);
}

#[test]
fn reload_causes_a_load_after_its_delay() {
    let mut page = Page::with_open_stream();
    page.session.stream_reload(page.moment(), 1_500);
    let effects = page.effects();
    assert!(effects.contains(&Effect::CloseStream));
    assert!(effects.contains(&Effect::StartTimer(Timer::Load, 1_500 + 500)), "with a jitter of up to a second");
}

#[test]
fn changed_causes_one_load_and_keeps_the_stream_open() {
    let mut page = Page::with_open_stream();
    page.session.stream_changed(page.moment());
    page.session.stream_changed(page.moment());
    assert_eq!(page.effects(), [Effect::StartTimer(Timer::Load, 500)]);
    page.session.timer_fired(page.moment(), Timer::Load);
    page.effects();
    page.session.stream_changed(page.moment());
    assert_eq!(page.effects(), [], "marks the load in flight as out of date");
    page.respond(2, "a\0off\0b\0on");
    let effects = page.effects();
    assert!(!effects.contains(&Effect::OpenStream));
    assert_eq!(effects.last(), Some(&Effect::StartTimer(Timer::Load, 500)));
}
