//! What pages have evaluated, until it is stored.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::ids::EnvironmentId;
use crate::domain::insights::{self, Evaluations};

/// The counts that are not stored yet.
#[derive(Default)]
pub struct PendingEvaluations(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    counts: BTreeMap<EnvironmentId, Evaluations>,
    /// A task will store them.
    is_scheduled: bool,
}

impl PendingEvaluations {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds counts. Returns whether the caller has to schedule that they are stored.
    pub fn add(&self, environment: EnvironmentId, evaluations: Evaluations) -> bool {
        let mut pending = self.lock();
        insights::add(pending.counts.entry(environment).or_default(), evaluations);
        !std::mem::replace(&mut pending.is_scheduled, true)
    }

    /// Adds counts again that could not be stored.
    pub fn put_back(&self, environment: EnvironmentId, evaluations: Evaluations) {
        insights::add(self.lock().counts.entry(environment).or_default(), evaluations);
    }

    /// All counts. Afterwards there are none.
    pub fn take(&self) -> BTreeMap<EnvironmentId, Evaluations> {
        std::mem::take(&mut self.lock().counts)
    }

    /// Whether the task has more to store; otherwise it ends.
    pub fn stays_scheduled(&self) -> bool {
        let mut pending = self.lock();
        pending.is_scheduled = !pending.counts.is_empty();
        pending.is_scheduled
    }
}
