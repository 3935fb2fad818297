//! Loading: answers, failures, the last user, the cache.

use super::*;

#[test]
fn a_load_ends_in_init_then_loaded() {
    let mut page = Page::live();
    assert!(page.effects().contains(&Effect::Load), "in the tick of init");
    assert_eq!(page.session.load_body(), r#"{"user":{"id":"alice"}}"#);
    page.answer(1, "a\0on");
    let effects = page.effects();
    assert!(effects.contains(&Effect::Store));
    assert!(effects.contains(&Effect::OpenStream));
    assert_eq!(page.session.stream_query(), format!("?token=token-1&since={EPOCH}.1.1"));
    assert_eq!(page.in_force(), "a\0on\0");
}

#[test]
fn loaded_from_cache_comes_first_and_only_with_a_cache_entry() {
    let mut page = Page::live();
    page.session.enter(user("bob"), None, Some(map("a\0cached")));
    assert_eq!(page.events(), [], "never before the caller has returned");
    page.session.returned();
    page.answer(1, "a\0on");
    assert_eq!(names(page.events()), [&[Event::LoadedFromCache], LOADED.as_slice()].concat());
    page.session.enter(user("carol"), None, None);
    page.session.returned();
    page.answer(1, "a\0on");
    assert_eq!(names(page.events()), LOADED);
}

#[test]
fn a_failed_load_is_an_error_and_is_tried_again_with_full_jitter() {
    let mut page = Page::live();
    page.effects();
    let mut waits = Vec::new();
    for _ in 0..7 {
        page.fail(503);
        waits.extend(page.wait(Timer::Load));
        page.session.elapsed(page.moment(), Timer::Load);
    }
    assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000], "half of 1 s, 2 s, … 30 s");
    page.fail(503);
    let message = "Features could not be loaded: the service answered 503 Because.".to_owned();
    assert_eq!(page.events(), [(Event::Error, message), (Event::LoadEnded, String::new())]);
    page.answer(1, "a\0on");
    assert_eq!(names(page.events()), [], "an answer that nobody waits for");
    page.session.elapsed(page.moment(), Timer::Load);
    page.answer(1, "a\0on");
    assert_eq!(names(page.events()), LOADED);
}

#[test]
fn what_cannot_pass_is_not_tried_again_by_itself() {
    for (status, tried) in [(404, false), (413, false), (422, false), (0, true), (408, true), (429, true), (200, true)]
    {
        let mut page = Page::live();
        page.effects();
        page.fail(status);
        assert_eq!(page.wait(Timer::Load).is_some(), tried, "{status}");
    }
}

#[test]
fn a_load_has_a_timeout() {
    let mut page = Page::live();
    assert_eq!(page.wait(Timer::LoadTimeout), Some(10_000));
    page.elapse(Timer::LoadTimeout, 10_000.0);
    let effects = page.effects();
    assert!(effects.contains(&Effect::AbortLoad));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Emit(Event::Error, text) if text.contains("10 s"))));
    assert!(effects.contains(&Effect::Start(Timer::Load, 500)));
}

#[test]
fn the_last_user_wins_and_an_older_answer_is_dropped() {
    let mut page = Page::live();
    let first = page.session.load_number();
    page.session.enter(user("bob"), None, None);
    page.effects();
    let answer = Answer { features: map("a\0alice"), since: since(9), token: String::new() };
    page.session.loaded(page.moment(), first, 200, Ok(answer));
    assert_eq!(page.effects(), [], "it is neither told nor stored");
    page.answer(1, "a\0bob");
    assert_eq!(page.in_force(), "a\0bob\0");
    assert_eq!(page.session.user().id(), "bob");
}

#[test]
fn what_was_to_be_told_of_the_last_user_is_forgotten() {
    let mut page = Page::live();
    page.effects();
    page.answer(1, "a\0alice");
    assert!(matches!(page.session.next_effect(), Some(Effect::Stop(Timer::LoadTimeout))));
    page.session.enter(user("bob"), None, None);
    assert_eq!(page.events(), []);
}

#[test]
fn the_same_user_again_keeps_its_values_while_it_is_loaded_again() {
    let mut page = Page::streaming();
    page.session.enter(user("alice"), None, Some(map("a\0old")));
    page.session.returned();
    assert_eq!(page.in_force(), "a\0on\0b\0on\0");
    page.answer(1, "a\0on\0b\0on");
    assert_eq!(names(page.events()), [&[Event::LoadedFromCache], LOADED.as_slice()].concat());
}

#[test]
fn within_an_epoch_a_client_ignores_lower_versions() {
    let mut page = Page::streaming();
    page.session.receive(since(5), map("a\0off"), true);
    page.session.receive(since(4), map("a\0blue"), true);
    assert_eq!(page.in_force(), "a\0off\0");
    page.session.receive("00000000000000bb.1.1".into(), map("a\0blue"), true);
    assert_eq!(page.in_force(), "a\0blue\0", "after a restore the epoch is another");
}

#[test]
fn without_streaming_nothing_is_opened() {
    let mut page = Page::of(false);
    page.answer(1, "a\0on");
    assert!(!page.effects().contains(&Effect::OpenStream));
}

#[test]
fn a_load_that_was_not_begun_is_not_for_the_user_before() {
    let mut page = Page::live();
    page.session.enter(user("bob"), None, None);
    page.session.enter(user("carol"), None, None);
    let loads = page.effects().into_iter().filter(|effect| *effect == Effect::Load).count();
    assert_eq!(loads, 1);
    assert!(page.session.load_body().contains("carol"));
}

#[test]
fn patience_that_ends_late_says_nothing_of_a_load_that_has_ended() {
    let mut page = Page::live();
    page.answer(1, "a\0on");
    page.effects();
    page.elapse(Timer::LoadTimeout, 10_000.0);
    assert_eq!(page.effects(), []);
}
