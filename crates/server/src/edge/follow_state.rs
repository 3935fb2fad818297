//! What an edge decides while it follows its upstream: when to connect, what to do with a bundle, and when it is too old to be served.
//!
//! It does no I/O: what happens goes in with the time and a random number, actions come out. The follower carries them out; the simulation
//! drives the same code on simulated time (docs/decisions/0042).

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flagservice_core::Since;

use crate::domain::ids::EnvironmentId;
use crate::serving::backoff;
use crate::serving::bundle::{self, Beat};
use crate::serving::upstream_health::Standing;

/// The delays before connecting again: the first, and the longest. The longest is short, because few edges follow one node.
pub const DELAYS: (Duration, Duration) = (Duration::from_millis(200), Duration::from_millis(800));

/// How long an attempt may remain without a response before another one begins beside it: its first packet may be lost.
pub const ATTEMPT_INTERVAL: Duration = Duration::from_millis(500);

/// How long an attempt may remain without a response at all.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the upstream may be silent before its first heartbeat, which comes at once and says when the next one does.
const FIRST_BEAT_TIMEOUT: Duration = Duration::from_secs(2);

/// The delay after the upstream has said that it does not know the edge key.
const UNKNOWN_KEY_DELAY: Duration = Duration::from_secs(10);

/// The shortest and the longest time between two heartbeats that an upstream can ask for, in milliseconds.
const BEATS_MS: (u64, u64) = (100, 20_000);

/// The upstream is silent when so many heartbeats in a row are missing.
const MISSING_BEATS: u32 = 3;

/// A connection that lasted so long makes the next delay the first one again. It is shorter than the silence after which a connection is
/// dead, so that failures of an earlier outage never add to the time that an edge needs after one.
const HEALTHY: Duration = Duration::from_secs(1);

/// When something happens, and a random number from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The time since the start of the edge.
    pub now: Duration,
    /// Spreads delays.
    pub random: f64,
}

/// What the follower has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begin an attempt to follow, and name [`FollowState::known`] in it.
    Connect(u32),
    /// End this attempt or connection.
    Close(u32),
    /// Forget an environment, also in the files.
    Remove(EnvironmentId),
    /// Serve an environment no longer, but keep what it is.
    StopServing(EnvironmentId),
    /// Serve it again.
    Serve(EnvironmentId),
    /// Write what has changed to the files.
    Write,
    /// Tell the operator.
    Tell(News),
}

/// What the operator is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The upstream is connected.
    Connected,
    /// The connection is lost, or the first attempt failed.
    Lost,
    /// The upstream does not know the edge key.
    KeyRevoked,
    /// The edge serves nothing, because it was without the server for too long.
    TooOld,
}

/// Why an attempt or a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The upstream does not know the edge key.
    KeyRevoked,
    /// Anything else.
    Other,
}

/// What to do with a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Put it into force, and call [`FollowState::applied`].
    Apply,
    /// Leave it: the edge has a later version.
    Older,
    /// It continues from another version than the known one: ask for all.
    Gap,
}

/// An edge that follows its upstream.
pub struct FollowState {
    max_age: Option<Duration>,
    standing: Standing,
    /// What the edge has.
    environments: BTreeMap<EnvironmentId, Since>,
    /// Those of which the upstream is to send everything.
    incomplete: BTreeSet<EnvironmentId>,
    /// The highest version of each epoch that the edge had, also of environments that it has removed: another upstream may be behind.
    highest: BTreeMap<(EnvironmentId, u64), u64>,
    attempts: Vec<Attempt>,
    next_attempt_at: Duration,
    open: Option<Open>,
    /// Since the last healthy connection.
    failures: u32,
    last_number: u32,
}

/// An attempt without a response.
struct Attempt {
    number: u32,
    ends_at: Duration,
}

/// A connection with a response.
struct Open {
    number: u32,
    opened_at: Duration,
    received_at: Duration,
    silence_timeout: Duration,
    has_beaten: bool,
    /// How old the last message of the server was that the upstream had, at a time.
    upstream_age: Option<(Duration, Duration)>,
}

impl FollowState {
    /// An edge that connects at once. `max_age`: after how long without the server it stops serving.
    pub fn new(max_age: Option<Duration>, standing: Standing) -> Self {
        Self {
            max_age,
            standing,
            environments: BTreeMap::new(),
            incomplete: BTreeSet::new(),
            highest: BTreeMap::new(),
            attempts: Vec::new(),
            next_attempt_at: Duration::ZERO,
            open: None,
            failures: 0,
            last_number: 0,
        }
    }

    /// How the edge stands with its upstream.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// What a request names: the versions of which the upstream need not send everything.
    pub fn known(&self) -> impl Iterator<Item = (&EnvironmentId, Since)> {
        self.environments.iter().filter(|(id, _)| !self.incomplete.contains(*id)).map(|(id, since)| (id, *since))
    }

    /// Whether the edge serves what it has.
    pub fn is_serving(&self) -> bool {
        !self.standing.is_too_old
    }

    /// Whether this is the connection that the edge follows.
    pub fn is_open(&self, number: u32) -> bool {
        self.open.as_ref().is_some_and(|open| open.number == number)
    }

    /// When to call [`Self::timer_fired`].
    pub fn next_timer(&self) -> Duration {
        let silent_at = self.open.as_ref().map(|open| open.received_at + open.silence_timeout);
        self.next_timer_but_for_silence().into_iter().chain(silent_at).min().unwrap_or(Duration::MAX)
    }

    /// The same while the upstream sends heartbeats.
    pub fn next_timer_but_for_silence(&self) -> Option<Duration> {
        let next_attempt_at = self.open.is_none().then_some(self.next_attempt_at);
        let attempts = self.attempts.iter().map(|attempt| attempt.ends_at);
        let too_old_at = (!self.standing.is_too_old).then(|| self.too_old_at());
        attempts.chain(next_attempt_at).chain(too_old_at).min()
    }

    /// The time of a timer has come.
    pub fn timer_fired(&mut self, moment: Moment) -> Vec<Action> {
        let now = moment.now;
        let mut actions = Vec::new();
        if let Some(open) = self.open.take_if(|open| open.received_at + open.silence_timeout <= now) {
            actions.push(Action::Close(open.number));
            self.lost(moment, &open, &mut actions);
        }
        for attempt in self.attempts.extract_if(.., |attempt| attempt.ends_at <= now) {
            actions.push(Action::Close(attempt.number));
        }
        if self.open.is_none() && self.next_attempt_at <= now {
            self.connect(moment, &mut actions);
        }
        actions.extend(self.stop_if_too_old(now));
        actions
    }

    fn connect(&mut self, Moment { now, random }: Moment, actions: &mut Vec<Action>) {
        self.last_number += 1;
        if !self.attempts.is_empty() {
            self.failures = self.failures.saturating_add(1);
        }
        self.attempts.push(Attempt { number: self.last_number, ends_at: now + ATTEMPT_TIMEOUT });
        self.next_attempt_at = now + backoff::delay(DELAYS, self.failures, random).max(ATTEMPT_INTERVAL);
        actions.push(Action::Connect(self.last_number));
    }

    /// An attempt has a response: it is the connection, and the other attempts end.
    pub fn responded(&mut self, now: Duration, number: u32) -> Vec<Action> {
        if !self.attempts.iter().any(|attempt| attempt.number == number) {
            return vec![Action::Close(number)];
        }
        let others = self.attempts.drain(..).filter(|attempt| attempt.number != number);
        let mut actions: Vec<_> = others.map(|attempt| Action::Close(attempt.number)).collect();
        self.open = Some(Open {
            number,
            opened_at: now,
            received_at: now,
            silence_timeout: FIRST_BEAT_TIMEOUT,
            has_beaten: false,
            upstream_age: None,
        });
        self.standing.is_connected = true;
        self.standing.has_all = false;
        self.standing.is_key_refused = false;
        actions.push(Action::Tell(News::Connected));
        actions
    }

    /// The connection has brought something.
    pub fn received(&mut self, now: Duration, number: u32) {
        if let Some(open) = self.open.as_mut().filter(|open| open.number == number) {
            open.received_at = open.received_at.max(now);
        }
    }

    /// An attempt or the connection has ended.
    pub fn failed(&mut self, moment: Moment, number: u32, failure: Failure) -> Vec<Action> {
        let mut actions = Vec::new();
        if let Some(open) = self.open.take_if(|open| open.number == number) {
            actions.push(Action::Close(number));
            self.lost(moment, &open, &mut actions);
        } else if let Some(place) = self.attempts.iter().position(|attempt| attempt.number == number) {
            self.attempts.remove(place);
            actions.push(Action::Close(number));
            if self.failures == 0 && failure == Failure::Other {
                actions.push(Action::Tell(News::Lost));
            }
            let again_at = moment.now + backoff::delay(DELAYS, self.failures, moment.random);
            self.next_attempt_at = self.next_attempt_at.min(again_at);
            self.failures = self.failures.saturating_add(1);
            if failure == Failure::KeyRevoked {
                let delays = (UNKNOWN_KEY_DELAY, UNKNOWN_KEY_DELAY);
                self.next_attempt_at = moment.now + backoff::delay(delays, 0, moment.random);
                self.standing.is_key_refused = true;
                actions.push(Action::Tell(News::KeyRevoked));
                let environments = std::mem::take(&mut self.environments);
                actions.extend(environments.into_keys().map(Action::Remove));
            }
        }
        actions
    }

    fn lost(&mut self, Moment { now, random }: Moment, open: &Open, actions: &mut Vec<Action>) {
        self.standing.is_connected = false;
        if now.saturating_sub(open.opened_at) >= HEALTHY {
            self.failures = 0;
        }
        self.next_attempt_at = now + backoff::delay(DELAYS, self.failures, random);
        self.failures = self.failures.saturating_add(1);
        actions.push(Action::Tell(News::Lost));
    }

    /// A heartbeat has come.
    pub fn beat(&mut self, now: Duration, number: u32, beat: Beat) -> Vec<Action> {
        let Some(open) = self.open.as_mut().filter(|open| open.number == number) else { return Vec::new() };
        open.silence_timeout = Duration::from_millis(beat.every_ms.clamp(BEATS_MS.0, BEATS_MS.1)) * MISSING_BEATS;
        open.upstream_age = beat.age_ms.map(|age| (Duration::from_millis(age), now));
        // What the upstream knew at the first one is still on its way.
        if std::mem::replace(&mut open.has_beaten, true) { self.note_age(now) } else { Vec::new() }
    }

    /// The edge has everything that its upstream has.
    fn note_age(&mut self, now: Duration) -> Vec<Action> {
        if let Some((age, at)) = self.open.as_ref().and_then(|open| open.upstream_age) {
            self.standing.note_message(now, age + now.saturating_sub(at));
        }
        if !self.standing.is_too_old || self.too_old_at() <= now {
            return Vec::new();
        }
        self.standing.is_too_old = false;
        self.environments.keys().cloned().map(Action::Serve).collect()
    }

    /// A bundle has come, of this epoch and version, that continues from `after`; without it, it has everything.
    pub fn bundle(&self, id: &EnvironmentId, version: Since, after: Option<u64>) -> Verdict {
        if self.highest.get(&(id.clone(), version.epoch)).is_some_and(|highest| version.version < *highest) {
            return Verdict::Older;
        }
        let Some(known) = self.environments.get(id) else {
            return if after.is_none() { Verdict::Apply } else { Verdict::Gap };
        };
        let continues = |after| bundle::continues(after, version.epoch, (known.epoch, known.version));
        let is_complete = !self.incomplete.contains(id);
        if after.is_none_or(|after| is_complete && continues(after)) { Verdict::Apply } else { Verdict::Gap }
    }

    /// A bundle is in force.
    pub fn applied(&mut self, id: EnvironmentId, since: Since) {
        self.incomplete.remove(&id);
        let highest = self.highest.entry((id.clone(), since.epoch)).or_default();
        *highest = since.version.max(*highest);
        self.environments.insert(id, since);
    }

    /// A bundle cannot be used: the next connection asks for everything of the environment.
    pub fn unusable(&mut self, id: &EnvironmentId) {
        self.incomplete.insert(id.clone());
    }

    /// The edge key no longer gives access to an environment.
    pub fn gone(&mut self, id: &EnvironmentId) -> Vec<Action> {
        self.environments.remove(id).map(|_| Action::Remove(id.clone())).into_iter().collect()
    }

    /// The upstream has sent everything; the edge key gives access to these environments.
    pub fn current(&mut self, now: Duration, environments: &BTreeSet<EnvironmentId>) -> Vec<Action> {
        let gone = self.environments.extract_if(.., |id, _| !environments.contains(id));
        let mut actions: Vec<_> = gone.map(|(id, _)| Action::Remove(id)).collect();
        self.standing.has_all = true;
        actions.extend(self.note_age(now));
        actions.push(Action::Write);
        actions
    }

    /// The upstream stops, and wants to be asked again later.
    pub fn reload(&mut self, Moment { now, random }: Moment, number: u32) -> Vec<Action> {
        if self.open.take_if(|open| open.number == number).is_none() {
            return Vec::new();
        }
        self.standing.is_connected = false;
        // Clients come back when it says. An edge does not wait so long: its own clients would get no change.
        self.next_attempt_at = now + backoff::delay(DELAYS, u32::MAX, random);
        vec![Action::Close(number)]
    }

    /// Ends serving if the operator does not permit what is so old: a key may have been revoked since.
    pub fn stop_if_too_old(&mut self, now: Duration) -> Vec<Action> {
        if self.standing.is_too_old || self.too_old_at() > now {
            return Vec::new();
        }
        self.standing.is_too_old = true;
        let tell = (!self.environments.is_empty()).then_some(Action::Tell(News::TooOld));
        tell.into_iter().chain(self.environments.keys().cloned().map(Action::StopServing)).collect()
    }

    /// When what the edge has is too old, unless the server sends something.
    fn too_old_at(&self) -> Duration {
        self.max_age.map_or(Duration::MAX, |max_age| self.standing.reaches(max_age).unwrap_or_default())
    }
}
