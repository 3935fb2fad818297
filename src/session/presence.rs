//! Whether somebody looks at the page: a hidden tab gives its connection back, and catches up when it is seen again.

use super::{Effect, Moment, Session, Timer};
use crate::backoff::backoff;

/// A tab listens so long after it was hidden, in milliseconds.
const HIDDEN_MS: u32 = 15_000;

impl Session {
    /// The tab is seen again, or no longer; also when it comes back from the browser's back-forward cache.
    pub fn seen(&mut self, moment: Moment, visible: bool) {
        if !visible {
            self.push(Effect::Start(Timer::Hidden, HIDDEN_MS));
            return;
        }
        self.left = false;
        self.push(Effect::Stop(Timer::Hidden));
        if !self.awake {
            self.awake = true;
            if self.is_load_wanted() {
                self.load_now();
            } else {
                self.want_stream(moment);
            }
        }
    }

    /// The page is being closed, or put away.
    pub fn leaving(&mut self) {
        self.left = true;
        self.send_last_goals();
        self.fall_asleep();
    }

    /// The network is back.
    pub fn online(&mut self, moment: Moment) {
        self.send_goals_again();
        if !self.awake {
            return;
        }
        if self.is_load_wanted() {
            self.load_not_before(backoff(1, moment.random));
        } else {
            self.renew_stream(moment);
        }
    }

    pub(super) fn fall_asleep(&mut self) {
        self.awake = false;
        self.close_stream();
        self.push(Effect::Stop(Timer::Load));
    }
}
