use std::collections::BTreeSet;
use std::time::Duration;

use flagservice_core::Since;

use super::{ATTEMPT_INTERVAL, ATTEMPT_TIMEOUT, Action, DELAYS, Failure, FollowState, Moment, News, Verdict};
use crate::domain::ids::EnvironmentId;
use crate::serving::bundle::Beat;
use crate::serving::upstream_health::Standing;

const BEAT: Beat = Beat { every_ms: 400, age_ms: Some(0) };

fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn moment(millis: u64) -> Moment {
    Moment { now: at(millis), random: 1.0 }
}

fn id() -> EnvironmentId {
    "environment".to_owned().into()
}

fn version(epoch: u64, version: u64) -> Since {
    Since { epoch, version, digest: 0 }
}

/// An edge that has connected at time 0 and has this version.
fn connected(max_age: Option<Duration>, beat: Beat) -> FollowState {
    let mut state = FollowState::new(max_age, Standing::new(None));
    state.applied(id(), version(1, 5));
    assert_eq!(state.timer_fired(moment(0)).first(), Some(&Action::Connect(1)));
    state.responded(at(0), 1);
    state.beat(at(0), 1, beat);
    state
}

#[test]
fn attempts_run_beside_each_other_and_the_first_with_a_response_is_the_connection() {
    let mut state = FollowState::new(None, Standing::new(None));
    assert_eq!(state.timer_fired(moment(0)), [Action::Connect(1)]);
    let next = state.next_timer();
    assert!(next >= ATTEMPT_INTERVAL && next < at(1_000));
    assert_eq!(state.timer_fired(Moment { now: next, random: 0.0 }), [Action::Connect(2)]);
    assert_eq!(state.responded(at(900), 2), [Action::Close(1), Action::Tell(News::Connected)]);
    assert!(state.is_open(2));
    assert_eq!(state.responded(at(950), 1), [Action::Close(1)]);
}

#[test]
fn an_attempt_without_a_response_ends() {
    let mut state = FollowState::new(None, Standing::new(None));
    let mut actions = Vec::new();
    while actions.iter().all(|action| *action != Action::Close(1)) {
        let now = state.next_timer();
        assert!(now <= ATTEMPT_TIMEOUT);
        actions.extend(state.timer_fired(Moment { now, random: 1.0 }));
    }
}

#[test]
fn delays_do_not_grow_beyond_the_longest_and_begin_again_after_a_healthy_connection() {
    let mut state = FollowState::new(None, Standing::new(None));
    let mut now = Duration::ZERO;
    for number in 1..=20 {
        assert_eq!(state.timer_fired(Moment { now, random: 1.0 }), [Action::Connect(number)]);
        state.failed(Moment { now, random: 1.0 }, number, Failure::Other);
        assert!(state.next_timer() - now <= DELAYS.1);
        now = state.next_timer();
    }
    state.timer_fired(Moment { now, random: 1.0 });
    state.responded(now, 21);
    now += at(10_000);
    state.received(now, 21);
    state.failed(Moment { now, random: 1.0 }, 21, Failure::Other);
    assert_eq!(state.next_timer() - now, DELAYS.0);
}

#[test]
fn a_connection_without_three_heartbeats_is_dead() {
    let mut state = connected(None, BEAT);
    assert_eq!(state.next_timer(), at(1_200));
    state.received(at(1_100), 1);
    assert_eq!(state.timer_fired(moment(1_200)), []);
    assert_eq!(state.timer_fired(moment(2_300)), [Action::Close(1), Action::Tell(News::Lost)]);
    assert!(!state.standing().is_connected);
}

#[test]
fn an_older_version_is_left_and_changes_need_the_version_before() {
    let mut state = connected(None, BEAT);
    assert_eq!(state.bundle(&id(), version(1, 4), None), Verdict::Older);
    assert_eq!(state.bundle(&id(), version(1, 6), Some(5)), Verdict::Apply);
    assert_eq!(state.bundle(&id(), version(2, 1), None), Verdict::Apply);
    assert_eq!(state.bundle(&id(), version(1, 7), Some(6)), Verdict::Gap);
    state.unusable(&id());
    assert_eq!(state.known().count(), 0);
    assert_eq!(state.bundle(&id(), version(1, 4), None), Verdict::Older);
    assert_eq!(state.bundle(&id(), version(1, 7), None), Verdict::Apply);
}

#[test]
fn the_age_is_that_of_the_servers_last_message_also_behind_another_edge() {
    let max_age = at(60_000);
    let mut state = connected(Some(max_age), BEAT);
    state.current(at(100), &BTreeSet::from([id()]));
    let stale = |millis| Beat { age_ms: Some(millis - 100), ..BEAT };
    for beat in 1..150 {
        state.received(at(beat * 400), 1);
        assert_eq!(state.beat(at(beat * 400), 1, stale(beat * 400)), []);
    }
    assert_eq!(state.standing().age(at(400)), Some(at(300)));
    assert_eq!(state.stop_if_too_old(at(60_099)), []);
    let stopped = state.stop_if_too_old(at(60_100));
    assert_eq!(stopped, [Action::Tell(News::TooOld), Action::StopServing(id())]);
    assert_eq!(state.bundle(&id(), version(1, 6), Some(5)), Verdict::Apply);
    assert!(!state.is_serving());
    assert_eq!(state.beat(at(60_400), 1, stale(60_400)), []);
    assert_eq!(state.beat(at(60_800), 1, BEAT), [Action::Serve(id())]);
    assert!(state.is_serving());
}

#[test]
fn an_upstream_that_has_everything_counts_once_it_has_arrived() {
    let mut state = FollowState::new(Some(at(60_000)), Standing::new(None));
    state.applied(id(), version(1, 5));
    assert_eq!(state.timer_fired(moment(0)).last(), Some(&Action::StopServing(id())));
    state.responded(at(10), 1);
    assert_eq!(state.beat(at(10), 1, BEAT), []);
    assert!(!state.is_serving());
    let actions = state.current(at(20), &BTreeSet::from([id()]));
    assert_eq!(actions, [Action::Serve(id()), Action::Write]);
}

#[test]
fn an_unknown_key_removes_everything_and_what_is_not_listed_is_removed() {
    let mut state = FollowState::new(None, Standing::new(None));
    state.applied(id(), version(1, 5));
    state.timer_fired(moment(0));
    let actions = state.failed(moment(1), 1, Failure::KeyRevoked);
    assert_eq!(actions, [Action::Close(1), Action::Tell(News::KeyRevoked), Action::Remove(id())]);

    let mut state = connected(None, BEAT);
    assert!(!state.standing().is_current(at(1)));
    assert_eq!(state.current(at(1), &BTreeSet::new()), [Action::Remove(id()), Action::Write]);
    assert!(state.standing().is_current(at(1)));
}

#[test]
fn an_environment_that_was_removed_does_not_come_back_in_an_older_version() {
    let mut state = connected(None, BEAT);
    assert_eq!(state.gone(&id()), [Action::Remove(id())]);
    assert_eq!(state.bundle(&id(), version(1, 4), None), Verdict::Older);
    assert_eq!(state.bundle(&id(), version(1, 5), None), Verdict::Apply);
    state.applied(id(), version(2, 3));
    assert_eq!(state.bundle(&id(), version(1, 4), None), Verdict::Older);
    assert_eq!(state.bundle(&id(), version(3, 1), None), Verdict::Apply);

    let mut state = FollowState::new(None, Standing::new(None));
    state.applied(id(), version(1, 5));
    state.timer_fired(moment(0));
    state.failed(moment(1), 1, Failure::KeyRevoked);
    assert_eq!(state.bundle(&id(), version(1, 4), None), Verdict::Older);
    assert_eq!(state.bundle(&id(), version(1, 6), Some(5)), Verdict::Gap);
    assert_eq!(state.bundle(&id(), version(1, 6), None), Verdict::Apply);
}

#[test]
fn failures_before_a_connection_do_not_count_once_it_has_become_silent() {
    let mut state = FollowState::new(None, Standing::new(None));
    for number in 1..=20 {
        let now = state.next_timer();
        state.timer_fired(Moment { now, random: 1.0 });
        state.failed(Moment { now, random: 1.0 }, number, Failure::Other);
    }
    let now = state.next_timer();
    state.timer_fired(Moment { now, random: 1.0 });
    state.responded(now, 21);
    state.beat(now, 21, BEAT);
    let silent_at = state.next_timer();
    state.timer_fired(Moment { now: silent_at, random: 1.0 });
    assert_eq!(state.next_timer(), silent_at + DELAYS.0);
}

#[test]
fn after_reload_an_edge_connects_again_within_its_longest_delay() {
    let mut state = connected(None, BEAT);
    assert_eq!(state.reload(moment(7_000), 1), [Action::Close(1)]);
    assert_eq!(state.next_timer(), at(7_000) + DELAYS.1);
}
