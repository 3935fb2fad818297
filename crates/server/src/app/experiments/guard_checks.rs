//! The experiments whose guards are to be checked, because goals were counted for them, and those whose guards can do nothing.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::domain::ids::ExperimentId;

/// What this node knows of guards.
#[derive(Default)]
pub struct GuardChecks {
    /// The experiments for which goals were counted since the last check.
    due: Mutex<BTreeSet<ExperimentId>>,
    added: Notify,
    /// The experiments whose control was no variant of the feature when a guard tripped.
    without_control: Mutex<BTreeSet<ExperimentId>>,
}

impl GuardChecks {
    /// Asks for a check.
    pub fn request(&self, experiments: impl IntoIterator<Item = ExperimentId>) {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let before = due.len();
        due.extend(experiments);
        if due.len() > before {
            self.added.notify_one();
        }
    }

    /// Waits until a check was asked for.
    pub(super) async fn requested(&self) {
        self.added.notified().await;
    }

    /// The experiments to check.
    pub(super) fn take(&self) -> BTreeSet<ExperimentId> {
        std::mem::take(&mut *self.due.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that the control of an experiment is no variant of its feature. Says whether that is new.
    pub(super) fn note_without_control(&self, experiment: &ExperimentId) -> bool {
        self.without_control.lock().unwrap_or_else(PoisonError::into_inner).insert(experiment.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::GuardChecks;
    use crate::domain::ids::ExperimentId;

    #[test]
    fn an_experiment_without_its_control_is_new_once() {
        let checks = GuardChecks::default();
        let [one, other] = ["one", "other"].map(|id| ExperimentId::from(id.to_owned()));
        let news = [&one, &one, &other, &one].map(|experiment| checks.note_without_control(experiment));
        assert_eq!(news, [true, false, true, false]);
    }
}
