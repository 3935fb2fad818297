//! The requests with an `Idempotency-Key` that are running on this node.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The running requests.
#[derive(Default)]
pub struct RunningRequests(Mutex<HashSet<String>>);

impl RunningRequests {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
