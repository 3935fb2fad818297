//! Metrics of a server: its database, annotations, sweeps, data keys and background tasks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flagservice_rules::Instant;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::domain::ids::EnvironmentId;
use crate::metrics::registration::{add, add_seconds};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskLabel {
    task: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TableLabel {
    table: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabel {
    kind: &'static str,
}

/// The metrics of a server.
pub struct DatabaseMetrics {
    /// Goal events that were not stored, because their environment has too many keys of goals.
    pub goals_dropped: Counter,
    /// Sweeps that failed.
    pub sweep_errors: Counter,
    /// Data keys that were created because the one before was old.
    pub data_keys_rotated: Counter,
    /// Rotations of data keys that failed.
    pub data_key_errors: Counter,
    data_key_created: Gauge<f64, AtomicU64>,
    swept: Family<KindLabel, Counter>,
    last_sweep: Gauge<f64, AtomicU64>,
    /// Annotations that a destination accepted.
    pub annotations_delivered: Counter,
    /// Annotations that failed on both attempts.
    pub annotations_failed: Counter,
    annotations_waiting: Gauge,
    annotations_oldest: Gauge<f64, AtomicU64>,
    up: Gauge,
    age: Gauge<f64, AtomicU64>,
    busy: Counter,
    outbox: Gauge,
    panics: Family<TaskLabel, Counter>,
    unreadable: Family<TableLabel, Gauge<u64, AtomicU64>>,
}

/// Values that are measured when the metrics are read.
pub struct Reading {
    /// Whether the database responds.
    pub database_up: bool,
    /// How long ago the versions of all environments were last read.
    pub database_age: Duration,
    /// How many requests have waited in vain for a connection.
    pub turned_away: u64,
    /// The number of outbox entries, if the database responded.
    pub outbox: Option<u64>,
    /// The number of waiting annotations and the age of the oldest, if the database responded.
    pub annotations: Option<(u64, Duration)>,
    /// The version of each environment in memory.
    pub versions: Vec<(EnvironmentId, u64)>,
    /// How often each kind of background task has panicked.
    pub panics: Vec<(&'static str, u64)>,
    /// The tables of the rows that cannot be read, one for each row.
    pub unreadable: Vec<&'static str>,
}

impl DatabaseMetrics {
    pub(super) fn new(all: &mut Registry) -> Self {
        let dropped = "Goal events not stored, because their environment has too many keys of goals";
        let age = "Time since the versions of all environments were last read";
        let last_sweep = "When this node last finished a sweep, since 1970";
        let created = "When the newest data key was created, since 1970";
        Self {
            goals_dropped: add(all, "goals_dropped", dropped),
            up: add(all, "database_up", "1 while the database responds, otherwise 0"),
            age: add_seconds(all, "database_age", age),
            busy: add(all, "database_busy", "Requests that waited in vain for a database connection"),
            annotations_delivered: add(all, "annotations_delivered", "Annotations delivered"),
            annotations_failed: add(all, "annotations_failed", "Annotations that failed on both attempts"),
            annotations_waiting: add(all, "annotations_waiting", "Annotations waiting for delivery"),
            annotations_oldest: add_seconds(all, "annotations_oldest", "Age of the oldest waiting annotation"),
            outbox: add(all, "outbox_entries", "Outbox entries"),
            sweep_errors: add(all, "sweep_errors", "Sweeps that failed"),
            swept: add(all, "swept_rows", "Rows removed because they were kept long enough"),
            last_sweep: add_seconds(all, "last_sweep_timestamp", last_sweep),
            data_keys_rotated: add(all, "data_keys_rotated", "Data keys created because the one before was old"),
            data_key_errors: add(all, "data_key_rotation_errors", "Rotations of data keys that failed"),
            data_key_created: add_seconds(all, "data_key_created_timestamp", created),
            panics: add(all, "background_task_panics", "Background tasks that panicked and were started again"),
            unreadable: add(all, "unreadable_rows", "Stored rows that cannot be read"),
        }
    }

    /// Counts rows of a kind that a sweep has removed.
    pub fn swept(&self, kind: &'static str, count: u64) {
        self.swept.get_or_create(&KindLabel { kind }).inc_by(count);
    }

    /// Notes when this node has finished a sweep.
    pub fn swept_at(&self, now: Instant) {
        self.last_sweep.set(seconds(now));
    }

    /// Notes when the newest data key was created.
    pub fn data_key_created_at(&self, at: Instant) {
        self.data_key_created.set(seconds(at));
    }

    pub(super) fn set(&self, reading: &Reading) {
        self.up.set(i64::from(reading.database_up));
        self.age.set(reading.database_age.as_secs_f64());
        self.busy.inner().fetch_max(reading.turned_away, Ordering::Relaxed);
        self.outbox.set(reading.outbox.map_or(-1, |length| i64::try_from(length).unwrap_or(i64::MAX)));
        let waiting = reading.annotations.map_or(-1, |(waiting, _)| i64::try_from(waiting).unwrap_or(i64::MAX));
        self.annotations_waiting.set(waiting);
        self.annotations_oldest.set(reading.annotations.map_or(-1.0, |(_, oldest)| oldest.as_secs_f64()));
        for (task, panics) in &reading.panics {
            self.panics.get_or_create(&TaskLabel { task }).inner().fetch_max(*panics, Ordering::Relaxed);
        }
        self.unreadable.clear();
        for table in &reading.unreadable {
            self.unreadable.get_or_create(&TableLabel { table }).inc();
        }
    }
}

/// Seconds since 1970.
fn seconds(instant: Instant) -> f64 {
    Duration::from_millis(u64::try_from(instant.0).unwrap_or_default()).as_secs_f64()
}
