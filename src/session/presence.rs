//! Whether the page is visible: a hidden tab closes its stream, and catches up when it is visible again.

use super::Session;
use super::effect::{Effect, Timer};
use super::moment::Moment;
use crate::backoff::backoff;

/// How long a hidden tab keeps its stream, in milliseconds.
const HIDDEN_MS: u32 = 15_000;

impl Session {
    /// The tab became visible or hidden, or was restored from the back-forward cache.
    pub fn visibility_changed(&mut self, moment: Moment, visible: bool) {
        if !visible {
            self.send_summary();
            self.push(Effect::StartTimer(Timer::Hidden, HIDDEN_MS));
            return;
        }
        self.leaving = false;
        self.push(Effect::StopTimer(Timer::Hidden));
        if !self.active {
            self.active = true;
            if self.needs_load() {
                self.load_now();
            } else {
                self.ensure_stream(moment);
            }
        }
    }

    /// The page is being closed, goes to the back-forward cache, or is frozen.
    pub fn page_leaving(&mut self) {
        self.leaving = true;
        self.send_final_goals();
        self.suspend();
    }

    /// The network is back.
    pub fn online(&mut self, moment: Moment) {
        self.retry_goals();
        if !self.active {
            return;
        }
        if self.needs_load() {
            self.postpone_load(backoff(1, moment.random));
        } else {
            self.reopen_stream(moment);
        }
    }

    pub(super) fn suspend(&mut self) {
        self.active = false;
        self.leave_tabs();
        self.push(Effect::StopTimer(Timer::Load));
    }
}
