//! Reports the participations of the user: when a feature is evaluated, and when the service says which experiments run.

use super::Session;
use super::effect::{Effect, Timer};

impl Session {
    /// A feature was evaluated. Returns whether there are effects, which then have to run: those of `updateUser` wait for its caller.
    pub fn evaluated(&mut self, key: &str, variant: &str) -> bool {
        self.participations.evaluated.set(key, variant);
        self.report_participations()
    }

    /// Reports what is due, at the end of the task, so that one request has all of it. Returns whether anything is due.
    pub(super) fn report_participations(&mut self) -> bool {
        let Some(received) = self.features.received() else { return false };
        let is_due = self.participations.report(self.user.id(), received, &mut self.goals);
        if is_due && self.leaving {
            self.send_final_goals();
        } else if is_due && self.goals.is_idle() {
            self.push(Effect::StartTimer(Timer::Goals, 0));
        }
        is_due
    }
}
