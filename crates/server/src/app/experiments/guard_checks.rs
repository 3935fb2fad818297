//! The experiments whose guards are to be checked, because goals were counted for them.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::domain::ids::ExperimentId;

/// The experiments for which goals were counted since the last check.
#[derive(Default)]
pub struct GuardChecks {
    due: Mutex<BTreeSet<ExperimentId>>,
    added: Notify,
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
}
