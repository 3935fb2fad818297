//! Listening for updates: opening, silence, reconnection, and what the stream's events change.

use super::{Effect, Moment, Session, Timer};
use crate::backoff::backoff;

/// So long a stream may be silent, in milliseconds: a sign of life comes every 20 s.
const SILENCE_MS: f64 = 50_000.0;

/// A stream that lived so long, in milliseconds, ends a row of failures.
const HEALTHY_MS: f64 = 10_000.0;

/// After so many failed opens the token is doubted, and a load gets another.
const MOST_FAILED_OPENS: u32 = 2;

/// Where listening stands. Times are in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    /// Not wanted, or not before a load.
    Off,
    /// To be opened when the wait is over.
    Waiting { failed_opens: u32 },
    /// Asked for.
    Opening { failed_opens: u32, heard_at: f64 },
    /// Open.
    Open { opened_at: f64, heard_at: f64 },
}

impl Session {
    /// The query of the stream's address: what opens it, and where it is to begin.
    pub fn stream_query(&self) -> String {
        let since = self.since.as_ref().map_or("", |(_, text)| text);
        ["?token=", &self.token, "&since=", since].concat()
    }

    /// The stream is open, or shows that it lives.
    pub fn stream_lives(&mut self, moment: Moment) {
        let now = moment.now;
        match &mut self.stream {
            Stream::Off | Stream::Waiting { .. } => {}
            Stream::Opening { .. } => self.stream = Stream::Open { opened_at: now, heard_at: now },
            Stream::Open { heard_at, .. } => *heard_at = now,
        }
    }

    /// The stream wants a load some time soon, and goes on.
    pub fn stream_signalled(&mut self, moment: Moment) {
        self.stream_lives(moment);
        self.load_after(backoff(1, moment.random));
    }

    /// The stream wants a load, not before so many milliseconds, and is at its end.
    pub fn stream_ended(&mut self, moment: Moment, ms: u32) {
        let wait = self.wait_after_failure(moment);
        self.close_stream();
        // The same time for all clients, and then a time of its own for each.
        self.load_not_before(ms.saturating_add(wait));
    }

    /// The stream could not be opened, or has broken off.
    pub fn stream_failed(&mut self, moment: Moment) {
        let failed_opens = match self.stream {
            Stream::Opening { failed_opens, .. } => failed_opens + 1,
            Stream::Off | Stream::Waiting { .. } | Stream::Open { .. } => 0,
        };
        let wait = self.wait_after_failure(moment);
        self.close_stream();
        if failed_opens < MOST_FAILED_OPENS {
            self.open_stream_after(wait, failed_opens);
        } else {
            self.load_after(wait);
        }
    }

    /// Opens the stream unless it is there already, or nobody looks at the page.
    pub(super) fn want_stream(&mut self, moment: Moment) {
        let failed_opens = match self.stream {
            Stream::Off => 0,
            Stream::Waiting { failed_opens } => failed_opens,
            Stream::Opening { .. } | Stream::Open { .. } => return,
        };
        if self.streaming && self.awake && self.since.is_some() {
            self.push(Effect::OpenStream);
            self.push(Effect::Start(Timer::Stream, SILENCE_MS as u32));
            self.stream = Stream::Opening { failed_opens, heard_at: moment.now };
        }
    }

    pub(super) fn close_stream(&mut self) {
        self.stream = Stream::Off;
        self.push(Effect::CloseStream);
        self.push(Effect::Stop(Timer::Stream));
    }

    /// Leaves a stream that may be dead, because the network has changed, and opens another soon.
    pub(super) fn renew_stream(&mut self, moment: Moment) {
        if !matches!(self.stream, Stream::Off) {
            self.failures = 0;
            self.close_stream();
            self.open_stream_after(backoff(1, moment.random), 0);
        }
    }

    pub(super) fn stream_elapsed(&mut self, moment: Moment) {
        match self.stream {
            Stream::Off | Stream::Waiting { .. } => self.want_stream(moment),
            Stream::Opening { heard_at, .. } | Stream::Open { heard_at, .. } => {
                // A clock that was set back must not make the wait longer than it is.
                let left = (SILENCE_MS - (moment.now - heard_at)).min(SILENCE_MS);
                if left > 0.0 {
                    self.push(Effect::Start(Timer::Stream, left as u32 + 1));
                } else {
                    self.stream_failed(moment);
                }
            }
        }
    }

    fn open_stream_after(&mut self, ms: u32, failed_opens: u32) {
        self.stream = Stream::Waiting { failed_opens };
        self.push(Effect::Start(Timer::Stream, ms));
    }

    fn wait_after_failure(&mut self, moment: Moment) -> u32 {
        if let Stream::Open { opened_at, .. } = self.stream
            && moment.now - opened_at >= HEALTHY_MS
        {
            self.failures = 0;
        }
        self.failures += 1;
        backoff(self.failures, moment.random)
    }
}
