//! The goals that wait for the service: what is sent together, what is sent again, and what is given up.

use flagservice_core::digits::push_hex;

use crate::backoff::backoff;
use crate::json::{push_string, push_variants};
use crate::variants::Variants;

/// So many goals are kept; beyond it the oldest is dropped.
const MOST_GOALS: usize = 100;

/// Bytes of one request: a page may send no more than 64 KiB while it closes.
const MOST_BYTES: usize = 60_000;

const OPENING: &str = "{\"goals\":[";
const CLOSING: &str = "]}";

/// How the sending of goals ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The service has them, or refuses them for good.
    Settled,
    /// It could not be reached, or was not able to take them now.
    Failed,
}

/// Goals that no request has settled yet.
#[derive(Debug, Default)]
pub struct Goals {
    waiting: Vec<Goal>,
    last_number: u32,
    /// Number of the last goal that is under way in a request; 0 for none.
    under_way: u32,
    failures: u32,
    /// A failure is being waited out.
    waits: bool,
}

#[derive(Debug)]
struct Goal {
    number: u32,
    json: String,
}

impl Goals {
    /// Takes up a goal with the features as they are now. `id` is random.
    pub fn add(&mut self, id: [u8; 16], key: &str, user_id: &str, features: &Variants) {
        let mut json = String::from("{\"id\":\"");
        for byte in id {
            push_hex(&mut json, byte);
        }
        json.push_str("\",\"key\":");
        push_string(&mut json, key);
        json.push_str(",\"userId\":");
        push_string(&mut json, user_id);
        json.push_str(",\"features\":");
        push_variants(&mut json, features, MOST_BYTES - OPENING.len() - CLOSING.len() - 1);
        json.push_str("}");
        self.last_number += 1;
        self.waiting.push(Goal { number: self.last_number, json });
        if self.waiting.len() > MOST_GOALS {
            self.waiting.remove(0);
        }
    }

    /// The body of the next request, unless one is under way or a failure is being waited out.
    pub fn send(&mut self) -> Option<String> {
        if self.under_way > 0 || self.waits {
            return None;
        }
        let (body, last) = self.body()?;
        self.under_way = last;
        Some(body)
    }

    /// The wait is over, or there is reason to believe that the service can be reached again.
    pub fn end_wait(&mut self) {
        self.waits = false;
    }

    /// The body of a last request on a closing page. Nothing is crossed off, since nobody will say how it ended; should
    /// the page come back, the same ids count once.
    pub fn farewell(&self) -> Option<String> {
        self.body().map(|(body, _)| body)
    }

    /// Notes how the request under way ended, and says after how many milliseconds to send again.
    pub fn ended(&mut self, delivery: Delivery, random: f64) -> Option<u32> {
        let under_way = core::mem::take(&mut self.under_way);
        match delivery {
            Delivery::Settled => {
                self.waiting.retain(|goal| goal.number > under_way);
                self.failures = 0;
                None
            }
            Delivery::Failed => {
                self.failures += 1;
                self.waits = true;
                Some(backoff(self.failures, random))
            }
        }
    }

    fn body(&self) -> Option<(String, u32)> {
        let mut body = String::from(OPENING);
        let mut last = 0;
        for goal in &self.waiting {
            if last > 0 && body.len() + goal.json.len() + 1 + CLOSING.len() > MOST_BYTES {
                break;
            }
            if last > 0 {
                body.push_str(",");
            }
            body.push_str(&goal.json);
            last = goal.number;
        }
        body.push_str(CLOSING);
        (last > 0).then_some((body, last))
    }
}

#[cfg(test)]
mod tests {
    use super::{Delivery, Goals, MOST_BYTES};
    use crate::variants::Variants;

    fn add(goals: &mut Goals, key: &str) {
        goals.add([0xab; 16], key, "alice", &Variants::parse("checkout\0on"));
    }

    #[test]
    fn a_goal_carries_id_user_and_features() {
        let mut goals = Goals::default();
        add(&mut goals, "purchase");
        assert_eq!(
            goals.send().as_deref(),
            Some(concat!(
                r#"{"goals":[{"id":"abababababababababababababababab","key":"purchase","userId":"alice","#,
                r#""features":{"checkout":"on"}}]}"#
            ))
        );
    }

    #[test]
    fn goals_are_kept_and_sent_again_after_a_failure() {
        let mut goals = Goals::default();
        add(&mut goals, "one");
        let first = goals.send();
        add(&mut goals, "two");
        assert_eq!(goals.send(), None, "one request at a time");
        assert_eq!(goals.ended(Delivery::Failed, 0.5), Some(500));
        add(&mut goals, "three");
        assert_eq!(goals.send(), None, "the failure is waited out");
        goals.end_wait();
        let again = goals.send().unwrap_or_default();
        assert!(first.is_some_and(|first| again.starts_with(first.trim_end_matches("]}"))));
        assert!(["one", "two", "three"].iter().all(|key| again.contains(key)));
        assert_eq!(goals.ended(Delivery::Settled, 0.5), None);
        assert_eq!(goals.send(), None);
    }

    #[test]
    fn at_most_a_hundred_are_kept_and_the_oldest_is_dropped() {
        let mut goals = Goals::default();
        for number in 0..103 {
            add(&mut goals, &format!("goal-{number}-"));
        }
        let body = goals.send().unwrap_or_default();
        assert_eq!(body.matches("\"key\"").count(), 100);
        assert!(!body.contains("goal-2-") && body.contains("goal-3-"));
    }

    #[test]
    fn a_closing_page_sends_what_no_request_has_settled() {
        let mut goals = Goals::default();
        assert_eq!(goals.farewell(), None);
        add(&mut goals, "under-way");
        let under_way = goals.send();
        assert_eq!(goals.farewell(), under_way, "with the same id, so that it counts once");
        goals.ended(Delivery::Settled, 0.0);
        assert_eq!(goals.farewell(), None);
    }

    #[test]
    fn no_request_is_larger_than_a_closing_page_may_send() {
        let mut many = Variants::default();
        for number in 0..10_000 {
            many.set(&format!("feature-{number:05}"), "on");
        }
        let mut goals = Goals::default();
        for _ in 0..3 {
            goals.add([0; 16], "purchase", "alice", &many);
        }
        for _ in 0..3 {
            let body = goals.send().unwrap_or_default();
            assert!(body.len() <= MOST_BYTES && body.contains("feature-00000"), "{}", body.len());
            goals.ended(Delivery::Settled, 0.0);
        }
        assert_eq!(goals.send(), None);
    }
}
