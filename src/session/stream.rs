//! The stream: opening, silence timeout and reconnection. A tab that does not hold the stream waits for what the holder tells.

use super::Session;
use super::effect::{Effect, Timer};
use super::moment::Moment;
use super::stream_state::StreamState;
use crate::backoff::backoff;
use crate::concat::concat;

/// A stream that is silent for this long is considered dead, in milliseconds. A heartbeat comes every 20 s.
const SILENCE_TIMEOUT_MS: f64 = 50_000.0;

/// A tab that holds the stream and tells the others nothing for this long does not respond, in milliseconds. It notices a dead stream
/// before that.
const HOLDER_TIMEOUT_MS: f64 = 2.0 * SILENCE_TIMEOUT_MS;

/// The tab that holds the stream answers one that joins within this time, in milliseconds.
const ANSWER_TIMEOUT_MS: f64 = 5_000.0;

/// A stream that was open for this long resets the count of failures, in milliseconds.
const HEALTHY_MS: f64 = 10_000.0;

/// After this many failed attempts the token may be invalid, and a load gets a new one.
const MAX_FAILED_OPENS: u32 = 2;

impl Session {
    /// The query of the stream's URL: the token and the known version.
    pub fn stream_query(&self) -> String {
        concat(&["?token=", &self.token, "&since=", &self.since])
    }

    /// The stream or the tab that holds it has opened it, or has sent something.
    pub fn stream_alive(&mut self, moment: Moment) {
        let now = moment.now;
        match &mut self.stream {
            StreamState::Off => {}
            StreamState::Open { last_event_at, .. } => *last_event_at = now,
            StreamState::Waiting { .. } | StreamState::Opening { .. } => {
                self.stream = StreamState::Open { opened_at: now, last_event_at: now };
            }
        }
        if self.holds_stream {
            self.ping_tabs();
        }
    }

    /// The stream asks for a load and stays open.
    pub fn stream_changed(&mut self, moment: Moment) {
        self.stream_alive(moment);
        self.schedule_load(backoff(1, moment.random));
    }

    /// The stream asks for a load after at least this many milliseconds, and ends.
    pub fn stream_reload(&mut self, moment: Moment, after_ms: u32) {
        let delay_ms = self.delay_after_failure(moment);
        self.close_stream();
        // All clients get the same `after_ms`; the delay spreads them.
        self.postpone_load(after_ms.saturating_add(delay_ms));
    }

    /// The stream could not be opened, or has broken off.
    pub fn stream_failed(&mut self, moment: Moment) {
        let failed_opens = match self.stream {
            StreamState::Opening { failed_opens, .. } => failed_opens + 1,
            StreamState::Off | StreamState::Waiting { .. } | StreamState::Open { .. } => 0,
        };
        let delay_ms = self.delay_after_failure(moment);
        self.close_stream();
        if failed_opens < MAX_FAILED_OPENS {
            self.open_stream_after(delay_ms, failed_opens);
        } else {
            self.schedule_load(delay_ms);
        }
    }

    /// Opens the stream or joins the tabs that share it, unless that is done already or the client is suspended.
    pub(super) fn ensure_stream(&mut self, moment: Moment) {
        let (failed_opens, failed) = match self.stream {
            StreamState::Off => (0, false),
            StreamState::Waiting { failed_opens } => (failed_opens, true),
            StreamState::Opening { .. } | StreamState::Open { .. } => return,
        };
        if self.streaming && self.active && !self.since.is_empty() {
            if self.holds_stream {
                self.push(Effect::OpenStream);
            } else {
                self.push(Effect::JoinTabs(failed));
                self.ping_tabs();
            }
            self.stream = StreamState::Opening { failed_opens, last_event_at: moment.now };
            self.push(Effect::StartTimer(Timer::Stream, self.timeout_ms() as u32));
        }
    }

    /// How long the stream, or the tab that holds it, may be silent.
    fn timeout_ms(&self) -> f64 {
        match self.stream {
            _ if self.holds_stream => SILENCE_TIMEOUT_MS,
            StreamState::Open { .. } => HOLDER_TIMEOUT_MS,
            StreamState::Off | StreamState::Waiting { .. } | StreamState::Opening { .. } => ANSWER_TIMEOUT_MS,
        }
    }

    pub(super) fn close_stream(&mut self) {
        self.stream = StreamState::Off;
        self.push(Effect::CloseStream);
        self.push(Effect::StopTimer(Timer::Stream));
    }

    /// Replaces a stream that may be dead because the network has changed.
    pub(super) fn reopen_stream(&mut self, moment: Moment) {
        if self.holds_stream && !matches!(self.stream, StreamState::Off) {
            self.failures = 0;
            self.close_stream();
            self.open_stream_after(backoff(1, moment.random), 0);
        }
    }

    pub(super) fn stream_timer_fired(&mut self, moment: Moment) {
        match self.stream {
            StreamState::Off | StreamState::Waiting { .. } => self.ensure_stream(moment),
            StreamState::Opening { last_event_at, .. } | StreamState::Open { last_event_at, .. } => {
                // If the clock was set back, the remaining time must not exceed the timeout.
                let timeout_ms = self.timeout_ms();
                let left_ms = (timeout_ms - (moment.now - last_event_at)).min(timeout_ms);
                if left_ms > 0.0 {
                    self.push(Effect::StartTimer(Timer::Stream, left_ms as u32 + 1));
                } else {
                    self.stream_failed(moment);
                }
            }
        }
    }

    fn open_stream_after(&mut self, delay_ms: u32, failed_opens: u32) {
        self.stream = StreamState::Waiting { failed_opens };
        self.push(Effect::StartTimer(Timer::Stream, delay_ms));
    }

    /// Counts a failure and returns the reconnect delay in milliseconds.
    fn delay_after_failure(&mut self, moment: Moment) -> u32 {
        if let StreamState::Open { opened_at, .. } = self.stream
            && moment.now - opened_at >= HEALTHY_MS
        {
            self.failures = 0;
        }
        self.failures += 1;
        backoff(self.failures, moment.random)
    }
}
