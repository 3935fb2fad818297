//! Metrics of an edge: its upstream, and what it has to report.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::domain::ids::EnvironmentId;
use crate::metrics::registration::{add, add_seconds};

/// The metrics of an edge.
pub struct UpstreamMetrics {
    up: Gauge,
    age: Gauge<f64, AtomicU64>,
    reports_waiting: Gauge,
}

/// Values that are measured when the metrics of an edge are read.
pub struct EdgeReading {
    /// Whether the edge has everything that its upstream has.
    pub is_current: bool,
    /// How old the last message of the upstream is.
    pub age: Option<Duration>,
    /// How many files of goals wait.
    pub reports_waiting: usize,
    /// The version of each environment in memory.
    pub versions: Vec<(EnvironmentId, u64)>,
}

impl UpstreamMetrics {
    pub(super) fn new(all: &mut Registry) -> Self {
        Self {
            up: add(all, "upstream_up", "1 while the edge has everything that its upstream has, otherwise 0"),
            age: add_seconds(
                all,
                "upstream_age",
                "Time since the last message of the upstream, -1 if there never was one",
            ),
            reports_waiting: add(all, "report_files", "Files of goals that wait for the upstream"),
        }
    }

    pub(super) fn set(&self, reading: &EdgeReading) {
        self.up.set(i64::from(reading.is_current));
        self.age.set(reading.age.map_or(-1.0, |age| age.as_secs_f64()));
        self.reports_waiting.set(i64::try_from(reading.reports_waiting).unwrap_or(i64::MAX));
    }
}
