//! The queue of goals and participations: which are sent together, which are sent again, and which are dropped.
//!
//! The service counts the participations of a request before its goals. So a request ends before a participation that follows a goal.

use crate::backoff::backoff;
use crate::json::{object, push_variants};
use crate::variants::Variants;

/// Maximum length of the queue, and so of a request. When there are more goals and participations, the oldest is dropped.
const MAX_QUEUED: usize = 100;

/// Maximum size of a request in bytes. Browsers limit what a page sends while it closes to 64 KiB.
pub const MAX_REQUEST_BYTES: usize = 60_000;

const OPENING: &str = "{\"goals\":[";
const PARTICIPATIONS_OPENING: &str = "{\"participations\":[";
/// Between participations and goals.
const GOALS_OPENING: &str = "],\"goals\":[";
const CLOSING: &str = "]}";

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendResult {
    /// The service accepted them, or rejected them permanently.
    Settled,
    /// The service could not be reached, or could not accept them now.
    Failed,
}

/// Goals and participations that are not settled yet. All are numbered from 1.
#[derive(Debug, Default)]
pub struct Goals {
    /// The JSON of each.
    queue: Vec<String>,
    /// Number of the last one in the queue.
    last_number: u32,
    /// Number of the last one in the request in flight; 0 if there is none.
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
        self.push(goal(&json));
    }

    /// Adds a participation, as [`participation`] writes it.
    pub fn push(&mut self, json: String) {
        self.last_number += 1;
        self.queue.push(json);
        if self.queue.len() > MAX_QUEUED {
            self.queue.remove(0);
        }
    }

    /// Whether no request is in flight and no retry is scheduled.
    pub fn is_idle(&self) -> bool {
        self.last_in_flight == 0 && !self.backing_off
    }

    /// The body of the next request, unless one is in flight or a retry is scheduled.
    pub fn next_body(&mut self) -> Option<String> {
        if !self.is_idle() {
            return None;
        }
        let (body, end) = self.body(0)?;
        self.last_in_flight = self.number_before_queue() + end as u32;
        Some(body)
    }

    /// The delay is over, or the network is back.
    pub fn end_backoff(&mut self) {
        self.backing_off = false;
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

    /// The body of a request with what is in the queue from a place on, and the place after it. A closing page sends it directly: goals
    /// and participations stay in the queue, because the result is unknown. If the page is restored and sends them again, they count once.
    pub fn body(&self, start: usize) -> Option<(String, usize)> {
        let (mut body, mut end, mut has_goals) = (String::new(), start, false);
        while let Some(json) = self.queue.get(end) {
            let is_goal = !is_participation(json);
            let separator = match (body.is_empty(), is_goal == has_goals, is_goal) {
                (true, _, true) => OPENING,
                (true, _, false) => PARTICIPATIONS_OPENING,
                (_, true, _) => ",",
                _ => GOALS_OPENING,
            };
            let length = body.len() + json.len() + separator.len() + CLOSING.len();
            if !body.is_empty() && (length > MAX_REQUEST_BYTES || has_goals && !is_goal) {
                break;
            }
            body.push_str(separator);
            body.push_str(json);
            has_goals = is_goal;
            end += 1;
        }
        body.push_str(CLOSING);
        (end > start).then_some((body, end))
    }

    fn number_before_queue(&self) -> u32 {
        self.last_number - self.queue.len() as u32
    }
}

/// The JSON of a participation.
pub fn participation(feature: &str, variant: &str, user_id: &str) -> String {
    object(&[("feature", feature), ("variant", variant), ("userId", user_id)], "", "")
}

/// The JSON of a participation begins with `{"feature"`, that of a goal with `{"id"`.
fn is_participation(json: &str) -> bool {
    json.as_bytes().get(2) == Some(&b'f')
}

#[cfg(test)]
mod tests {
    use super::{Goals, MAX_QUEUED, MAX_REQUEST_BYTES, SendResult, participation};
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
        assert_eq!(goals.body(0), None);
        add(&mut goals, "under-way");
        let in_flight = goals.next_body().map(|body| (body, 1));
        assert_eq!(goals.body(0), in_flight, "the same id, so that the goal counts once");
        assert_eq!(goals.body(1), None);
        goals.request_finished(SendResult::Settled, 0.0);
        assert_eq!(goals.body(0), None);
    }

    fn take_part(goals: &mut Goals, feature: &str) {
        goals.push(participation(feature, "on", "alice"));
    }

    /// The keys of the goals and the features of the participations in each request, until the queue is empty.
    fn requests(goals: &mut Goals) -> Vec<Vec<String>> {
        let mut requests = Vec::new();
        while let Some(body) = goals.next_body() {
            let json: serde_json::Value = serde_json::from_str(&body).unwrap();
            let names = |list: &str, name: &str| -> Vec<String> {
                let items = json.get(list).and_then(|list| list.as_array()).cloned().unwrap_or_default();
                items.iter().map(|item| item[name].as_str().unwrap().to_owned()).collect()
            };
            requests.push([names("participations", "feature"), names("goals", "key")].concat());
            goals.request_finished(SendResult::Settled, 0.0);
        }
        requests
    }

    #[test]
    fn a_request_ends_before_a_participation_that_follows_a_goal() {
        let mut goals = Goals::default();
        for name in ["A", "B", "c", "d", "E", "f", "G"] {
            if name < "a" { take_part(&mut goals, name) } else { add(&mut goals, name) }
        }
        assert_eq!(requests(&mut goals), [vec!["A", "B", "c", "d"], vec!["E", "f"], vec!["G"]]);
    }

    #[test]
    fn the_last_requests_of_a_closing_page_have_everything_in_order() {
        let mut goals = Goals::default();
        add(&mut goals, "before");
        take_part(&mut goals, "checkout");
        let first = goals.body(0).unwrap();
        let second = goals.body(first.1).unwrap();
        assert!(first.0.contains("before") && !first.0.contains("participations"));
        let participation = r#"{"participations":[{"feature":"checkout","variant":"on","userId":"alice"}]}"#;
        assert_eq!(second, (participation.to_owned(), 2));
        assert_eq!(goals.body(second.1), None);
    }

    #[test]
    fn participations_count_for_the_length_of_the_queue() {
        let mut goals = Goals::default();
        add(&mut goals, "goal");
        for number in 0..150 {
            take_part(&mut goals, &number.to_string());
        }
        let [participations] = &requests(&mut goals)[..] else { panic!("one request") };
        assert_eq!((participations.len(), participations[0].as_str()), (MAX_QUEUED, "50"));
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
