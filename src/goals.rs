//! The queue of goals: which are sent together, which are sent again, and which are dropped.

use crate::backoff::backoff;
use crate::json::{object, push_variants};
use crate::variants::Variants;

/// Goals kept in the queue. When there are more, the oldest is dropped.
const MAX_GOALS: usize = 100;

/// Maximum size of a request in bytes. Browsers limit what a page sends while it closes to 64 KiB.
const MAX_REQUEST_BYTES: usize = 60_000;

const OPENING: &str = "{\"goals\":[";
const CLOSING: &str = "]}";

/// The result of a request with goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendResult {
    /// The service accepted them, or rejected them permanently.
    Settled,
    /// The service could not be reached, or could not accept them now.
    Failed,
}

/// Goals that are not settled yet. All goals are numbered from 1.
#[derive(Debug, Default)]
pub struct Goals {
    /// The JSON of each goal.
    queue: Vec<String>,
    /// Number of the last goal in the queue.
    last_number: u32,
    /// Number of the last goal in the request in flight; 0 if there is none.
    last_in_flight: u32,
    failures: u32,
    /// A request has failed, and the retry is scheduled.
    backing_off: bool,
}

impl Goals {
    /// Adds a goal with the features as they are now. `id` is 32 random hexadecimal digits.
    pub fn add(&mut self, id: &str, key: &str, user_id: &str, features: &Variants) {
        let goal = |features: &str| object(&[("id", id), ("key", key), ("userId", user_id)], "features", features);
        let mut json = String::new();
        push_variants(
            &mut json,
            features,
            (MAX_REQUEST_BYTES - OPENING.len() - CLOSING.len()).saturating_sub(goal("").len()),
        );
        self.last_number += 1;
        self.queue.push(goal(&json));
        if self.queue.len() > MAX_GOALS {
            self.queue.remove(0);
        }
    }

    /// The body of the next request, unless one is in flight or a retry is scheduled.
    pub fn next_body(&mut self) -> Option<String> {
        if self.last_in_flight > 0 || self.backing_off {
            return None;
        }
        let (body, last) = self.body()?;
        self.last_in_flight = last;
        Some(body)
    }

    /// The delay is over, or the network is back.
    pub fn end_backoff(&mut self) {
        self.backing_off = false;
    }

    /// The body of the last request of a closing page. The goals stay in the queue, because the result is unknown. If the page
    /// is restored and sends them again, they count once by their ids.
    pub fn final_body(&self) -> Option<String> {
        self.body().map(|(body, _)| body)
    }

    /// Records the result of the request in flight. Returns the delay of a retry in milliseconds.
    pub fn request_finished(&mut self, result: SendResult, random: f64) -> Option<u32> {
        let last_in_flight = core::mem::take(&mut self.last_in_flight);
        match result {
            SendResult::Settled => {
                while self.number_before_queue() < last_in_flight {
                    self.queue.remove(0);
                }
                self.failures = 0;
                None
            }
            SendResult::Failed => {
                self.failures += 1;
                self.backing_off = true;
                Some(backoff(self.failures, random))
            }
        }
    }

    fn body(&self) -> Option<(String, u32)> {
        let mut body = String::from(OPENING);
        let mut last = self.number_before_queue();
        for json in &self.queue {
            if body.len() > OPENING.len() {
                if body.len() + json.len() + 1 + CLOSING.len() > MAX_REQUEST_BYTES {
                    break;
                }
                body.push_str(",");
            }
            body.push_str(json);
            last += 1;
        }
        body.push_str(CLOSING);
        (!self.queue.is_empty()).then_some((body, last))
    }

    fn number_before_queue(&self) -> u32 {
        self.last_number - self.queue.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Goals, MAX_REQUEST_BYTES, SendResult};
    use crate::variants::Variants;

    fn add(goals: &mut Goals, key: &str) {
        goals.add(&"ab".repeat(16), key, "alice", &Variants::parse("checkout\0on"));
    }

    #[test]
    fn a_goal_carries_id_user_and_features() {
        let mut goals = Goals::default();
        add(&mut goals, "purchase");
        assert_eq!(
            goals.next_body().as_deref(),
            Some(concat!(
                r#"{"goals":[{"id":"abababababababababababababababab","key":"purchase","userId":"alice","#,
                r#""features":{"checkout":"on"}}]}"#
            ))
        );
    }

    #[test]
    fn goals_are_sent_again_after_a_failure() {
        let mut goals = Goals::default();
        add(&mut goals, "one");
        let first = goals.next_body();
        add(&mut goals, "two");
        assert_eq!(goals.next_body(), None, "one request at a time");
        assert_eq!(goals.request_finished(SendResult::Failed, 0.5), Some(500));
        add(&mut goals, "three");
        assert_eq!(goals.next_body(), None, "the retry waits for the delay");
        goals.end_backoff();
        let again = goals.next_body().unwrap_or_default();
        assert!(first.is_some_and(|first| again.starts_with(first.trim_end_matches("]}"))));
        assert!(["one", "two", "three"].iter().all(|key| again.contains(key)));
        assert_eq!(goals.request_finished(SendResult::Settled, 0.5), None);
        assert_eq!(goals.next_body(), None);
    }

    #[test]
    fn at_most_100_goals_are_kept_and_the_oldest_is_dropped() {
        let mut goals = Goals::default();
        for number in 0..103 {
            add(&mut goals, &format!("goal-{number}-"));
        }
        let body = goals.next_body().unwrap_or_default();
        assert_eq!(body.matches("\"key\"").count(), 100);
        assert!(!body.contains("goal-2-") && body.contains("goal-3-"));
    }

    #[test]
    fn a_closing_page_sends_all_goals_that_are_not_settled() {
        let mut goals = Goals::default();
        assert_eq!(goals.final_body(), None);
        add(&mut goals, "under-way");
        let in_flight = goals.next_body();
        assert_eq!(goals.final_body(), in_flight, "the same id, so that the goal counts once");
        goals.request_finished(SendResult::Settled, 0.0);
        assert_eq!(goals.final_body(), None);
    }

    #[test]
    fn no_request_exceeds_what_a_closing_page_may_send() {
        let mut many = Variants::default();
        for number in 0..10_000 {
            many.set(&format!("feature-{number:05}"), "on");
        }
        let mut goals = Goals::default();
        for _ in 0..3 {
            goals.add(&"0".repeat(32), "purchase", "alice", &many);
        }
        for _ in 0..3 {
            let body = goals.next_body().unwrap_or_default();
            assert!(body.len() <= MAX_REQUEST_BYTES && body.contains("feature-00000"), "{}", body.len());
            goals.request_finished(SendResult::Settled, 0.0);
        }
        assert_eq!(goals.next_body(), None);
    }
}
