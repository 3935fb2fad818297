//! Sends goals and participations: goals at once, again after a failure, and a last time when the page closes.

use super::effect::{Effect, Timer};
use super::moment::Moment;
use super::{NO_RESPONSE, Session, TIMED_OUT};
use crate::goals::SendResult;

impl Session {
    /// Records a goal and sends it. `id` is 32 random hexadecimal digits.
    pub fn goal(&mut self, key: &str, id: &str) {
        if !self.live {
            return;
        }
        self.goals.add(id, key, self.user.id(), self.features.current());
        if self.leaving {
            self.send_final_goals();
        } else {
            self.send_goals();
        }
    }

    /// A request with goals has finished: with a status, [`NO_RESPONSE`] or [`TIMED_OUT`].
    pub fn goals_request_finished(&mut self, moment: Moment, status: u16) {
        let result = match status {
            NO_RESPONSE | TIMED_OUT | 408 | 429 | 500.. => SendResult::Failed,
            _ => SendResult::Settled,
        };
        match self.goals.request_finished(result, moment.random) {
            Some(delay) => self.push(Effect::StartTimer(Timer::Goals, delay)),
            None => self.send_goals(),
        }
    }

    pub(super) fn retry_goals(&mut self) {
        self.goals.end_backoff();
        self.send_goals();
    }

    pub(super) fn send_final_goals(&mut self) {
        self.send_summary();
        let mut start = 0;
        while let Some((body, end)) = self.goals.body(start) {
            start = end;
            self.push_text(Effect::SendBeacon, body);
        }
    }

    fn send_goals(&mut self) {
        if let Some(body) = self.goals.next_body() {
            self.push_text(Effect::SendGoals, body);
        }
    }
}
