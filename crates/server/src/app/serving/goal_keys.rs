//! The keys of goals that this node knows to be stored. Each environment may have a limited number: a page could send any text.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flagservice_rules::Instant;

use crate::domain::ids::EnvironmentId;

/// Most keys of an environment whose goals are stored, beside those that its running experiments name.
pub const MAX_KEYS: usize = 1_000;

/// How long after a key was used the database still has the time of an earlier use.
pub(super) const NOTED_EVERY: Duration = Duration::from_hours(24);

/// The keys that are stored, with the time of use that the database has.
#[derive(Default)]
pub struct GoalKeys(Mutex<HashMap<EnvironmentId, HashMap<String, Instant>>>);

impl GoalKeys {
    /// Whether the key is stored, and its use noted recently.
    pub(super) fn is_noted(&self, environment: &EnvironmentId, key: &str, now: Instant) -> bool {
        let keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = keys.get(environment).and_then(|keys| keys.get(key));
        noted.is_some_and(|noted| now.0.saturating_sub(noted.0) < milliseconds(NOTED_EVERY))
    }

    /// Remembers that the key is stored, with this time of use.
    pub(super) fn note(&self, environment: &EnvironmentId, key: &str, now: Instant) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.entry(environment.clone()).or_default().insert(key.to_owned(), now);
    }
}

/// A duration as instants count it.
pub(super) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
