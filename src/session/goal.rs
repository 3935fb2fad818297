//! Goals in the life of a client: sent at once, again after a failure, and once more when the page closes.

use super::{Effect, Moment, Session, Timer};
use crate::goals::Delivery;

impl Session {
    /// A goal was reached; the bytes are random.
    pub fn goal(&mut self, key: &str, id: [u8; 16]) {
        self.goals.add(id, key, self.user.id(), self.features.in_force());
        if self.left {
            self.send_last_goals();
        } else {
            self.send_goals();
        }
    }

    /// The end of a request with goals: its status, 0 without any answer.
    pub fn goals_ended(&mut self, moment: Moment, status: u16) {
        let delivery = match status {
            0 | 408 | 429 | 500.. => Delivery::Failed,
            _ => Delivery::Settled,
        };
        match self.goals.ended(delivery, moment.random) {
            Some(wait) => self.push(Effect::Start(Timer::Goals, wait)),
            None => self.send_goals(),
        }
    }

    pub(super) fn send_goals_again(&mut self) {
        self.goals.end_wait();
        self.send_goals();
    }

    pub(super) fn send_last_goals(&mut self) {
        if let Some(body) = self.goals.farewell() {
            self.push(Effect::SendLastGoals(body));
        }
    }

    fn send_goals(&mut self) {
        if let Some(body) = self.goals.send() {
            self.push(Effect::SendGoals(body));
        }
    }
}
