//! Loading: one request that ends in values or in an ERROR, with patience, and again after a failure.

use flagservice_core::Since;

use super::{Answer, Effect, Event, LoadError, Mode, Moment, Session, Timer};
use crate::backoff::backoff;

/// Patience with one load, in milliseconds.
const TIMEOUT_MS: u32 = 10_000;

/// Where loading stands.
#[derive(Debug)]
pub(super) struct Load {
    /// Raised with each request, so that a late answer to an earlier one is known.
    number: u32,
    under_way: bool,
    /// Another load is wanted: a wait for it has begun, or the one under way may be too old already.
    wanted: bool,
    /// The user was never loaded: the next answer is INIT, not a change.
    first: bool,
}

impl Default for Load {
    fn default() -> Self {
        Self { number: 0, under_way: false, wanted: false, first: true }
    }
}

impl Load {
    /// For another user.
    pub(super) fn begin_anew(&mut self) {
        self.first = true;
    }

    /// Whether no values will come without another request.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted && !self.under_way
    }
}

impl Session {
    pub(super) fn load_now(&mut self) {
        self.load.number += 1;
        self.load.under_way = true;
        self.load.wanted = false;
        let body = ["{\"user\":", self.user.json(), "}"].concat();
        self.push(Effect::Stop(Timer::Load));
        self.push(Effect::Start(Timer::LoadTimeout, TIMEOUT_MS));
        self.push(Effect::Load(self.load.number, body));
    }

    /// Loads after a wait. What comes meanwhile does not make it later.
    pub(super) fn load_after(&mut self, ms: u32) {
        if !self.load.wanted {
            self.load_not_before(ms);
        }
    }

    /// Loads after a wait, and puts off a load that waits already.
    pub(super) fn load_not_before(&mut self, ms: u32) {
        self.load.wanted = true;
        if !self.load.under_way {
            self.push(Effect::Start(Timer::Load, ms));
        }
    }

    pub(super) fn loaded(&mut self, moment: Moment, number: u32, result: Result<Answer, LoadError>) {
        if number != self.load.number || !self.load.under_way {
            return;
        }
        self.load.under_way = false;
        self.received_initial_response = true;
        self.push(Effect::Stop(Timer::LoadTimeout));
        match result {
            Ok(answer) => self.take_answer(moment, answer),
            Err(error) => self.load_failed(moment, error),
        }
    }

    pub(super) fn load_timed_out(&mut self, moment: Moment) {
        self.push(Effect::AbortLoad);
        let message = "the service did not answer within 10 seconds".to_owned();
        self.loaded(moment, self.load.number, Err(LoadError { message, passing: true }));
    }

    fn take_answer(&mut self, moment: Moment, answer: Answer) {
        let Some(since) = Since::parse(&answer.since) else {
            let message = "the answer of the service names no version".to_owned();
            return self.load_failed(moment, LoadError { message, passing: true });
        };
        self.token = answer.token;
        let mut updated = None;
        if self.may_replace(&since) {
            updated = Some(self.features.receive(answer.features));
            self.since = Some((since, answer.since));
            self.store(moment);
        }
        if core::mem::take(&mut self.load.first) {
            self.emit_all([Event::Init, Event::Loaded, Event::LoadEnded]);
        } else if let Some(updated) = updated {
            self.emit_updated(updated);
        }
        if core::mem::take(&mut self.load.wanted) {
            self.load_after(backoff(1, moment.random));
        }
        match self.mode {
            Mode::Live => self.want_stream(moment),
            Mode::WithoutStreaming | Mode::Still => self.failures = 0,
        }
    }

    fn load_failed(&mut self, moment: Moment, error: LoadError) {
        let message = ["Features could not be loaded: ", &error.message].concat();
        self.emit_all([Event::Error(message), Event::LoadEnded]);
        self.failures += 1;
        self.load.wanted = false;
        if error.passing && self.presence.is_awake() {
            self.load_after(backoff(self.failures, moment.random));
        } else {
            // Asked again when somebody looks at the page or its network comes back.
            self.load.wanted = true;
        }
    }

    /// Within an epoch a lower version is older than what is known.
    pub(super) fn may_replace(&self, since: &Since) -> bool {
        self.since.as_ref().is_none_or(|(known, _)| since.may_replace(known))
    }
}
