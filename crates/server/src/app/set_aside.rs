//! Stored rows that this node cannot read and does without: the rest is served and delivered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::ids::EnvironmentId;
use crate::domain::unreadable_row::UnreadableRow;

/// The most rows of outbox and deliveries that are remembered. All of them are in the log.
const MAX_UNDELIVERED: usize = 1_000;

/// The rows that are set aside.
#[derive(Default)]
pub struct SetAside(Mutex<Rows>);

#[derive(Default)]
struct Rows {
    served: BTreeMap<EnvironmentId, BTreeSet<UnreadableRow>>,
    undelivered: BTreeSet<UnreadableRow>,
    scheduled: BTreeSet<UnreadableRow>,
}

impl SetAside {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes which rows the snapshot of an environment does without, in place of those that were noted before.
    pub fn note_served(&self, environment: &EnvironmentId, unreadable: impl IntoIterator<Item = UnreadableRow>) {
        let unreadable: BTreeSet<_> = unreadable.into_iter().collect();
        let mut rows = self.rows();
        let known = rows.served.remove(environment).unwrap_or_default();
        unreadable.difference(&known).for_each(log);
        if !unreadable.is_empty() {
            rows.served.insert(environment.clone(), unreadable);
        }
    }

    /// Notes a row that the dispatcher or a delivery task passes over.
    pub(in crate::app) fn note_undelivered(&self, unreadable: UnreadableRow) {
        let mut rows = self.rows();
        if !rows.undelivered.contains(&unreadable) {
            log(&unreadable);
            if rows.undelivered.len() < MAX_UNDELIVERED {
                rows.undelivered.insert(unreadable);
            }
        }
    }

    /// Notes which scheduled changes are due and cannot be read, in place of those that were noted before.
    pub(in crate::app) fn note_scheduled(&self, unreadable: BTreeSet<UnreadableRow>) {
        let mut rows = self.rows();
        unreadable.difference(&rows.scheduled).for_each(log);
        rows.scheduled = unreadable;
    }

    /// The table and the primary key of each row, in their order.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        let rows = self.rows();
        let all = rows.served.values().flatten().chain(&rows.undelivered).chain(&rows.scheduled);
        let all: BTreeSet<_> = all.map(|row| (row.table, row.key.clone())).collect();
        all.into_iter().collect()
    }

    /// The rows that snapshots do without.
    pub(in crate::app) fn served(&self) -> BTreeSet<UnreadableRow> {
        self.rows().served.values().flatten().cloned().collect()
    }
}

fn log(row: &UnreadableRow) {
    let UnreadableRow { table, key, problem } = row;
    tracing::error!(table, key, problem, "a stored row cannot be read and is set aside");
}
