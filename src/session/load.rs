//! Loads the user's values: requests, events and retries.

use flagservice_core::digits::push_number;

use super::effect::{Effect, Event, Timer};
use super::load_response::LoadResponse;
use super::moment::Moment;
use super::values::Values;
use super::{NO_RESPONSE, Session, TIMED_OUT};
use crate::backoff::backoff;
use crate::concat::concat;
use crate::json::{object, push_variants};

const UNREADABLE: &str = "the service's response is unreadable";

impl Session {
    /// The number of the load in flight, to pass to [`Self::loaded`].
    pub fn load_number(&self) -> u32 {
        self.load.number
    }

    /// The body of a load.
    pub fn load_body(&self) -> String {
        object(&[], "user", &self.user.json())
    }

    /// A load has finished: its status, [`NO_RESPONSE`] or [`TIMED_OUT`], and the response or the `detail` of the service's
    /// error.
    pub fn loaded(&mut self, moment: Moment, number: u32, status: u16, response: Result<LoadResponse, String>) {
        if number != self.load.number || !self.load.in_flight {
            return;
        }
        self.load.in_flight = false;
        match response {
            Ok(response) => self.apply_response(moment, response),
            Err(detail) => {
                let mut message = String::from(match status {
                    NO_RESPONSE => "the service could not be reached",
                    TIMED_OUT => "the service did not respond within 10 seconds",
                    200..300 => UNREADABLE,
                    _ => "the service responded with ",
                });
                if status >= 300 {
                    push_number(&mut message, status.into());
                    message.push_str(". ");
                    message.push_str(&detail);
                }
                self.load_failed(moment, &message, is_retryable(status));
            }
        }
    }

    pub(super) fn load_now(&mut self) {
        self.load.number += 1;
        self.load.in_flight = true;
        self.load.needed = false;
        self.push(Effect::StopTimer(Timer::Load));
        self.push(Effect::Load);
    }

    /// Loads after a delay, unless a load is scheduled already.
    pub(super) fn schedule_load(&mut self, delay_ms: u32) {
        if !self.load.needed {
            self.postpone_load(delay_ms);
        }
    }

    /// Loads after a delay, even if a load was scheduled for an earlier time.
    pub(super) fn postpone_load(&mut self, delay_ms: u32) {
        self.load.needed = true;
        if !self.load.in_flight {
            self.push(Effect::StartTimer(Timer::Load, delay_ms));
        }
    }

    /// Whether a load is needed and none is in flight.
    pub(super) fn needs_load(&self) -> bool {
        self.load.needed && !self.load.in_flight
    }

    /// Applies values of the user as of a version: all of them, or changes of some. Values older than the known version are
    /// ignored. Returns false if `version` is not readable.
    pub fn receive(&mut self, version: String, values: Values, all: bool) -> bool {
        let Values { features, experiments } = values;
        let (epoch, number) = epoch_and_number(&version);
        if number.is_empty() {
            return false;
        }
        let (known_epoch, known_number) = epoch_and_number(&self.since);
        if epoch != known_epoch || (number.len(), number) >= (known_number.len(), known_number) {
            self.since = version;
            let changed = if all { self.features.receive(features) } else { self.features.patch(&features) };
            if all || experiments.is_some() {
                self.participations.experiments = experiments;
            }
            self.push(Effect::WriteCache);
            if self.holds_stream {
                self.send_values();
            }
            if self.streaming && !changed.is_empty() {
                let mut json = String::new();
                push_variants(&mut json, &changed, usize::MAX);
                self.push_text(Effect::Emit(Event::UpdatedFeature), json);
            }
            self.report_participations();
        }
        true
    }

    fn apply_response(&mut self, moment: Moment, response: LoadResponse) {
        self.summary_due |= response.insights && self.insights;
        self.token = response.token;
        if !self.receive(response.since, response.values, true) {
            return self.load_failed(moment, UNREADABLE, true);
        }
        if !self.load.announced {
            self.load.announced = true;
            self.emit_loaded();
        }
        if core::mem::take(&mut self.load.needed) {
            self.schedule_load(backoff(1, moment.random));
        }
        if self.streaming {
            self.ensure_stream(moment);
        } else {
            self.failures = 0;
        }
    }

    fn load_failed(&mut self, moment: Moment, message: &str, retryable: bool) {
        let message = concat(&["Features could not be loaded: ", message]);
        self.push_text(Effect::Emit(Event::Error), message);
        self.emit(Event::LoadEnded);
        self.load.announced = false;
        self.failures += 1;
        self.load.needed = true;
        // Otherwise it loads again when the tab becomes visible or the network is back.
        if retryable && self.active {
            self.postpone_load(backoff(self.failures, moment.random));
        }
    }
}

/// The epoch of a known version, and its number as decimal digits without leading zeros. See `Since` in `crates/core/src/wire.rs`.
fn epoch_and_number(version: &str) -> (&[u8], &[u8]) {
    let mut parts = version.as_bytes().split(|byte| *byte == b'.');
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// Whether a retry can succeed: after no response, an unreadable one, a server error, a timeout, or too many requests.
fn is_retryable(status: u16) -> bool {
    !(300..500).contains(&status) || status == 408 || status == 429
}
