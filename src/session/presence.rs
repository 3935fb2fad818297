//! Whether somebody looks at the page: a hidden tab gives its connection back, and catches up when it is seen again.

use super::{Effect, Moment, Session, Timer};
use crate::backoff::backoff;

/// A tab listens so long after it was hidden, in milliseconds.
const HIDDEN_MS: u32 = 15_000;

/// Whether the client is to keep up with the service.
#[derive(Debug)]
pub(super) struct Presence {
    awake: bool,
}

impl Presence {
    pub(super) fn new(visible: bool) -> Self {
        Self { awake: visible }
    }

    pub(super) fn is_awake(&self) -> bool {
        self.awake
    }
}

impl Session {
    pub(super) fn hidden(&mut self) {
        self.push(Effect::Start(Timer::Hidden, HIDDEN_MS));
    }

    pub(super) fn visible(&mut self, moment: Moment) {
        self.push(Effect::Stop(Timer::Hidden));
        if !self.presence.awake {
            self.presence.awake = true;
            self.catch_up(moment);
        }
    }

    pub(super) fn fall_asleep(&mut self) {
        self.presence.awake = false;
        self.close_stream();
        self.push(Effect::Stop(Timer::Load));
    }

    pub(super) fn leaving(&mut self) {
        self.push_last_goals();
        self.fall_asleep();
    }

    pub(super) fn online(&mut self, moment: Moment) {
        self.send_goals_again();
        if !self.presence.awake {
            return;
        }
        if self.load.is_wanted() {
            self.push(Effect::Start(Timer::Load, backoff(1, moment.random)));
        } else {
            self.renew_stream(moment);
        }
    }

    fn catch_up(&mut self, moment: Moment) {
        if self.load.is_wanted() {
            self.load_now();
        } else {
            self.want_stream(moment);
        }
    }
}
