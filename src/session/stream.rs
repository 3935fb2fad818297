//! Listening for updates: opening, silence, reconnection, and what the stream's events change.

use flagservice_core::Since;

use super::{Effect, Event, Heard, Mode, Moment, Session, Timer};
use crate::backoff::backoff;
use crate::features::Changes;
use crate::variants::Variants;

/// So long a stream may be silent, in milliseconds: a sign of life comes every 20 s.
const SILENCE_MS: f64 = 50_000.0;

/// A stream that lived so long, in milliseconds, ends a row of failures.
const HEALTHY_MS: f64 = 10_000.0;

/// After so many failed opens the token is doubted, and a load gets another.
const MOST_FAILED_OPENS: u8 = 2;

/// Where listening stands. Times are in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    /// Not wanted, or not before a load.
    Off,
    /// To be opened when the wait is over.
    Waiting { failed_opens: u8 },
    /// Asked for.
    Opening { failed_opens: u8, heard_at: f64 },
    /// Open.
    Open { opened_at: f64, heard_at: f64 },
}

impl Session {
    /// Opens the stream unless it is there already, or nobody looks at the page.
    pub(super) fn want_stream(&mut self, moment: Moment) {
        match self.stream {
            Stream::Off => self.open_stream(moment, 0),
            Stream::Waiting { failed_opens } => self.open_stream(moment, failed_opens),
            Stream::Opening { .. } | Stream::Open { .. } => {}
        }
    }

    pub(super) fn close_stream(&mut self) {
        self.stream = Stream::Off;
        self.push(Effect::CloseStream);
        self.push(Effect::Stop(Timer::Stream));
    }

    pub(super) fn stream_elapsed(&mut self, moment: Moment) {
        match self.stream {
            Stream::Off => {}
            Stream::Waiting { failed_opens } => self.open_stream(moment, failed_opens),
            Stream::Opening { heard_at, .. } | Stream::Open { heard_at, .. } => {
                let left = SILENCE_MS - (moment.now - heard_at);
                // A clock that was set back must not make the wait longer than it is.
                if left > 0.0 {
                    self.push(Effect::Start(Timer::Stream, left.min(SILENCE_MS) as u32 + 1));
                } else {
                    self.stream_failed(moment);
                }
            }
        }
    }

    /// Leaves a stream that may be dead, because the network has changed, and opens another soon.
    pub(super) fn renew_stream(&mut self, moment: Moment) {
        match self.stream {
            Stream::Off => {}
            Stream::Waiting { .. } | Stream::Opening { .. } | Stream::Open { .. } => {
                self.failures = 0;
                self.push(Effect::CloseStream);
                self.open_stream_after(backoff(1, moment.random), 0);
            }
        }
    }

    pub(super) fn heard(&mut self, moment: Moment, heard: Heard) {
        match &mut self.stream {
            Stream::Off | Stream::Waiting { .. } => return,
            Stream::Opening { .. } => {
                if heard != Heard::Failed {
                    self.stream = Stream::Open { opened_at: moment.now, heard_at: moment.now };
                }
            }
            Stream::Open { heard_at, .. } => *heard_at = moment.now,
        }
        match heard {
            Heard::Open | Heard::Beat => {}
            Heard::Failed => self.stream_failed(moment),
            Heard::Put(since, variants) => self.take_put(moment, since, variants),
            Heard::Patch(since, changes) => self.take_patch(moment, since, changes),
            Heard::Changed => self.load_after(backoff(1, moment.random)),
            Heard::Reload(ms) => {
                self.count_failure(moment);
                self.close_stream();
                self.load_not_before(ms.max(backoff(self.failures, moment.random)));
            }
        }
    }

    pub(super) fn emit_updated(&mut self, updated: Variants) {
        if !updated.is_empty() {
            self.emit(Event::UpdatedFeature(updated));
        }
    }

    fn open_stream(&mut self, moment: Moment, failed_opens: u8) {
        let Some((_, since)) = &self.since else { return };
        if self.mode != Mode::Live || !self.presence.is_awake() {
            self.stream = Stream::Off;
            return;
        }
        self.effects.push(Effect::OpenStream(self.token.clone(), since.clone()));
        self.effects.push(Effect::Start(Timer::Stream, SILENCE_MS as u32));
        self.stream = Stream::Opening { failed_opens, heard_at: moment.now };
    }

    fn open_stream_after(&mut self, ms: u32, failed_opens: u8) {
        self.stream = Stream::Waiting { failed_opens };
        self.push(Effect::Start(Timer::Stream, ms));
    }

    fn stream_failed(&mut self, moment: Moment) {
        let failed_opens = match self.stream {
            Stream::Opening { failed_opens, .. } => failed_opens + 1,
            Stream::Off | Stream::Waiting { .. } | Stream::Open { .. } => 0,
        };
        self.count_failure(moment);
        let wait = backoff(self.failures, moment.random);
        if failed_opens < MOST_FAILED_OPENS {
            self.push(Effect::CloseStream);
            self.open_stream_after(wait, failed_opens);
        } else {
            self.close_stream();
            self.load_after(wait);
        }
    }

    fn count_failure(&mut self, moment: Moment) {
        if let Stream::Open { opened_at, .. } = self.stream
            && moment.now - opened_at >= HEALTHY_MS
        {
            self.failures = 0;
        }
        self.failures += 1;
    }

    fn take_put(&mut self, moment: Moment, since: String, variants: Variants) {
        if self.take_since(since) {
            let updated = self.features.receive(variants);
            self.updated(moment, updated);
        }
    }

    fn take_patch(&mut self, moment: Moment, since: String, changes: Changes) {
        if self.take_since(since) {
            let updated = self.features.patch(changes);
            self.updated(moment, updated);
        }
    }

    fn updated(&mut self, moment: Moment, updated: Variants) {
        if !updated.is_empty() {
            self.store(moment);
            self.emit_updated(updated);
        }
    }

    /// Whether values of this point may be taken; it then is the point up to which the client knows its values.
    fn take_since(&mut self, text: String) -> bool {
        match Since::parse(&text) {
            Some(since) if self.may_replace(&since) => {
                self.since = Some((since, text));
                true
            }
            Some(_) | None => false,
        }
    }
}
