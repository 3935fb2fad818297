//! Loading: responses, failures, the cache, overlapping users.

use super::*;

#[test]
fn a_load_stores_the_values_and_opens_the_stream() {
    let mut page = Page::new();
    assert!(page.effects().contains(&Effect::Load), "requested in the same tick as init");
    assert_eq!(page.session.load_body(), r#"{"user":{"id":"alice"}}"#);
    page.respond(1, "a\0on");
    let effects = page.effects();
    assert!(effects.contains(&Effect::WriteCache));
    assert!(effects.contains(&Effect::OpenStream));
    assert_eq!(page.session.stream_query(), format!("?token=token-1&since={EPOCH}.1.1"));
    assert_eq!(page.current_features(), "a\0on\0");
}

#[test]
fn loaded_from_cache_is_emitted_first_and_only_with_a_cache_entry() {
    let mut page = Page::new();
    page.session.set_user(user("bob"), None, Some(map("a\0cached")));
    assert_eq!(page.events(), [], "no event before the caller has settled");
    page.session.caller_settled();
    page.respond(1, "a\0on");
    assert_eq!(names(page.events()), [&[Event::LoadedFromCache], LOADED.as_slice()].concat());
    page.session.set_user(user("carol"), None, None);
    page.session.caller_settled();
    page.respond(1, "a\0on");
    assert_eq!(names(page.events()), LOADED);
}

#[test]
fn a_failed_load_emits_an_error_and_is_retried_with_full_jitter() {
    let mut page = Page::new();
    page.effects();
    let mut delays = Vec::new();
    for _ in 0..7 {
        page.fail(503);
        delays.extend(page.delay(Timer::Load));
        page.session.timer_fired(page.moment(), Timer::Load);
    }
    assert_eq!(delays, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000], "half of 1 s, 2 s, … 30 s");
    page.fail(503);
    let message = "Features could not be loaded: the service responded with 503. Because.".to_owned();
    assert_eq!(page.events(), [(Event::Error, message), (Event::LoadEnded, String::new())]);
    page.respond(1, "a\0on");
    assert_eq!(names(page.events()), [], "a response to no request");
    page.session.timer_fired(page.moment(), Timer::Load);
    page.respond(1, "a\0on");
    assert_eq!(names(page.events()), LOADED);
}

#[test]
fn only_temporary_failures_are_retried() {
    let cases = [(404, false), (413, false), (422, false), (0, true), (408, true), (429, true), (200, true)];
    for (status, retried) in cases {
        let mut page = Page::new();
        page.effects();
        page.fail(status);
        assert_eq!(page.delay(Timer::Load).is_some(), retried, "{status}");
    }
}

#[test]
fn a_load_that_times_out_is_repeated() {
    let mut page = Page::new();
    page.fail(TIMED_OUT);
    let effects = page.run();
    let is_error = |(effect, text): &(Effect, String)| *effect == Effect::Emit(Event::Error) && text.contains("10 s");
    assert!(effects.iter().any(is_error));
    assert!(effects.iter().any(|(effect, _)| *effect == Effect::StartTimer(Timer::Load, 500)));
}

#[test]
fn the_last_user_wins_and_a_response_for_an_earlier_one_is_dropped() {
    let mut page = Page::new();
    let first = page.session.load_number();
    page.session.set_user(user("bob"), None, None);
    page.effects();
    let response =
        LoadResponse { values: values("a\0alice", None), since: since(9), token: String::new(), insights: false };
    page.session.loaded(page.moment(), first, 200, Ok(response));
    assert_eq!(page.effects(), [], "neither emitted nor stored");
    page.respond(1, "a\0bob");
    assert_eq!(page.current_features(), "a\0bob\0");
    assert_eq!(page.session.user().id(), "bob");
}

#[test]
fn pending_events_of_the_previous_user_are_dropped() {
    let mut page = Page::new();
    page.effects();
    page.respond(1, "a\0alice");
    assert!(matches!(page.session.next_effect(), Some((Effect::WriteCache, _))));
    page.session.set_user(user("bob"), None, None);
    assert_eq!(page.events(), []);
}

#[test]
fn setting_the_same_user_again_keeps_the_values_during_the_load() {
    let mut page = Page::with_open_stream();
    page.session.set_user(user("alice"), None, Some(map("a\0old")));
    page.session.caller_settled();
    assert_eq!(page.current_features(), "a\0on\0b\0on\0");
    page.respond(1, "a\0on\0b\0on");
    assert_eq!(names(page.events()), [&[Event::LoadedFromCache], LOADED.as_slice()].concat());
}

#[test]
fn lower_versions_of_the_same_epoch_are_ignored() {
    let mut page = Page::with_open_stream();
    page.session.receive(since(5), values("a\0off", None), true);
    page.session.receive(since(4), values("a\0blue", None), true);
    assert_eq!(page.current_features(), "a\0off\0");
    page.session.receive("00000000000000bb.1.1".into(), values("a\0blue", None), true);
    assert_eq!(page.current_features(), "a\0blue\0", "after a restore the epoch differs");
}

#[test]
fn without_streaming_no_stream_is_opened() {
    let mut page = Page::with_streaming(false);
    page.respond(1, "a\0on");
    assert!(!page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_pending_load_is_for_the_latest_user() {
    let mut page = Page::new();
    page.session.set_user(user("bob"), None, None);
    page.session.set_user(user("carol"), None, None);
    let loads = page.effects().into_iter().filter(|effect| *effect == Effect::Load).count();
    assert_eq!(loads, 1);
    assert!(page.session.load_body().contains("carol"));
}

#[test]
fn a_late_timeout_does_not_affect_a_finished_load() {
    let mut page = Page::new();
    page.respond(1, "a\0on");
    page.effects();
    page.fail(TIMED_OUT);
    assert_eq!(page.effects(), []);
}
