//! Goals in the life of a client: sent at once, again after a failure, and once more when the page closes.

use super::{Effect, Mode, Moment, Session, Timer};
use crate::goals::Delivery;

impl Session {
    pub(super) fn goal(&mut self, key: &str, id: [u8; 16]) {
        match self.mode {
            Mode::Live | Mode::WithoutStreaming => {
                self.goals.add(id, key, self.user.id(), self.features.in_force());
                let body = self.goals.send();
                self.push_goals(body);
            }
            Mode::Still => {}
        }
    }

    pub(super) fn goals_ended(&mut self, moment: Moment, delivery: Delivery) {
        match self.goals.ended(delivery, moment.random) {
            Some(wait) => self.push(Effect::Start(Timer::Goals, wait)),
            None => {
                let body = self.goals.send();
                self.push_goals(body);
            }
        }
    }

    pub(super) fn send_goals_again(&mut self) {
        let body = self.goals.send_again();
        self.push_goals(body);
    }

    pub(super) fn push_last_goals(&mut self) {
        if let Some(body) = self.goals.farewell() {
            self.push(Effect::SendLastGoals(body));
        }
    }

    fn push_goals(&mut self, body: Option<String>) {
        if let Some(body) = body {
            self.push(Effect::SendGoals(body));
        }
    }
}
