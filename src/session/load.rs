//! Loading: one request that ends in values or in an ERROR, with patience, and again after a failure.

use flagservice_core::Since;
use flagservice_core::digits::push_number;

use super::{Effect, Event, Moment, Session, Timer};
use crate::backoff::backoff;
use crate::variants::Variants;

/// Patience with one load, in milliseconds.
const TIMEOUT_MS: u32 = 10_000;

const UNREADABLE: &str = "the answer of the service is not readable";

/// The service's answer to a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The user's values.
    pub features: Variants,
    /// The point up to which they are known, as text to send back.
    pub since: String,
    /// What opens the stream.
    pub token: String,
}

/// Where loading stands.
#[derive(Debug, Default)]
pub(super) struct Load {
    /// Raised with each request, so that a late answer to an earlier one is known.
    number: u32,
    under_way: bool,
    /// Another load is wanted: a wait for it has begun, or the one under way may be too old already.
    wanted: bool,
    /// The listeners know how loading for this user stands: an INIT came, and no ERROR after it.
    pub(super) announced: bool,
}

impl Session {
    /// The number of the load under way, to come back with its end.
    pub fn load_number(&self) -> u32 {
        self.load.number
    }

    /// The body of a load.
    pub fn load_body(&self) -> String {
        ["{\"user\":", &*self.user.json(), "}"].concat()
    }

    /// The end of a load: the status, 0 without any answer, and the answer if it is one, or else what it says is wrong.
    pub fn loaded(&mut self, moment: Moment, number: u32, status: u16, answer: Result<Answer, String>) {
        if number != self.load.number || !self.load.under_way {
            return;
        }
        self.end_load();
        match answer {
            Ok(answer) => self.take_answer(moment, answer),
            Err(detail) => {
                let mut message = String::from(match status {
                    0 => "the service cannot be reached",
                    200..300 => UNREADABLE,
                    _ => "the service answered ",
                });
                if status >= 300 {
                    push_number(&mut message, status.into());
                    message.push_str(" ");
                    message.push_str(&detail);
                }
                self.load_failed(moment, &message, is_passing(status));
            }
        }
    }

    pub(super) fn load_timed_out(&mut self, moment: Moment) {
        if !self.load.under_way {
            return;
        }
        self.push(Effect::AbortLoad);
        self.end_load();
        self.load_failed(moment, "the service did not answer within 10 seconds", true);
    }

    pub(super) fn load_now(&mut self) {
        self.load.number += 1;
        self.load.under_way = true;
        self.load.wanted = false;
        self.push(Effect::Stop(Timer::Load));
        self.push(Effect::Start(Timer::LoadTimeout, TIMEOUT_MS));
        self.push(Effect::Load);
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

    /// Whether a load is to be made that is not under way.
    pub(super) fn is_load_wanted(&self) -> bool {
        self.load.wanted && !self.load.under_way
    }

    /// Takes the user's values as of a point: all of them, or changes of some. Values that are older than what is known
    /// (within an epoch, of a lower version) are passed over. Whether they name a point at all.
    pub fn receive(&mut self, text: String, variants: Variants, all: bool) -> bool {
        let Some(since) = Since::parse(&text) else { return false };
        if self.since.as_ref().is_none_or(|(known, _)| since.may_replace(known)) {
            self.since = Some((since, text));
            let updated = if all { self.features.receive(variants) } else { self.features.patch(&variants) };
            self.push(Effect::Store);
            if self.streaming && !updated.is_empty() {
                self.push(Effect::Emit(Event::UpdatedFeature, updated.flat()));
            }
        }
        true
    }

    fn end_load(&mut self) {
        self.load.under_way = false;
        self.push(Effect::Stop(Timer::LoadTimeout));
    }

    fn take_answer(&mut self, moment: Moment, answer: Answer) {
        if !self.receive(answer.since, answer.features, true) {
            return self.load_failed(moment, UNREADABLE, true);
        }
        self.token = answer.token;
        if !self.load.announced {
            self.load.announced = true;
            self.announce();
        }
        if core::mem::take(&mut self.load.wanted) {
            self.load_after(backoff(1, moment.random));
        }
        if self.streaming {
            self.want_stream(moment);
        } else {
            self.failures = 0;
        }
    }

    fn load_failed(&mut self, moment: Moment, message: &str, passing: bool) {
        self.push(Effect::Emit(Event::Error, ["Features could not be loaded: ", message].concat()));
        self.emit(Event::LoadEnded);
        self.load.announced = false;
        self.failures += 1;
        self.load.wanted = true;
        // Otherwise it is asked again when somebody looks at the page, or its network comes back.
        if passing && self.awake {
            self.load_not_before(backoff(self.failures, moment.random));
        }
    }
}

/// Whether another attempt can end otherwise: no answer, an unreadable one, trouble of the server, a timeout, too many.
fn is_passing(status: u16) -> bool {
    !(300..500).contains(&status) || status == 408 || status == 429
}
