//! This node's Prometheus metrics. No label contains a user, a key or a token; environment ids are not secret.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flagservice_rules::Instant;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};

use crate::domain::ids::EnvironmentId;

/// Upper bounds of the request duration buckets.
const BUCKETS_SECONDS: [f64; 12] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EnvironmentLabel {
    environment: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EventLabel {
    event: &'static str,
}

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

/// This node's metrics.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Histogram, fn() -> Histogram>,
    streams: Family<EnvironmentLabel, Gauge>,
    versions: Family<EnvironmentLabel, Gauge<u64, AtomicU64>>,
    events: Family<EventLabel, Counter>,
    /// Connections closed because the client stopped reading.
    pub slow_readers: Counter,
    /// Goal events accepted from clients, including duplicates.
    pub goals: Counter,
    /// Goal events that were not stored, because their environment has too many keys of goals.
    pub goals_dropped: Counter,
    /// Connections closed at once, because there were too many in all or from their address.
    pub connections_refused: Counter,
    /// Requests and streams rejected by a rate limit.
    pub rate_limited: Counter,
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
    database_up: Gauge,
    database_age: Gauge<f64, AtomicU64>,
    database_busy: Counter,
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

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("flagservice");
        let requests: Family<_, _, fn() -> _> = Family::new_with_constructor(|| Histogram::new(BUCKETS_SECONDS));
        let help = "Time from a request's headers to the start of its response";
        registry.register_with_unit("request_duration", help, Unit::Seconds, requests.clone());
        let all = &mut registry;
        Self {
            requests,
            streams: add(all, "open_streams", "Open client streams"),
            versions: add(all, "environment_version", "Environment version in memory"),
            events: add(all, "stream_events", "Events sent on streams"),
            slow_readers: add(all, "slow_readers_closed", "Connections closed because the client stopped reading"),
            goals: add(all, "goals", "Goal events accepted"),
            goals_dropped: add(
                all,
                "goals_dropped",
                "Goal events not stored, because their environment has too many keys of goals",
            ),
            connections_refused: add(
                all,
                "connections_refused",
                "Connections closed at once, because there were too many",
            ),
            rate_limited: add(all, "rate_limited", "Requests and streams rejected by a rate limit"),
            database_up: add(all, "database_up", "1 while the database responds, otherwise 0"),
            database_age: add_seconds(
                all,
                "database_age",
                "Time since the versions of all environments were last read",
            ),
            database_busy: add(all, "database_busy", "Requests that waited in vain for a database connection"),
            annotations_delivered: add(all, "annotations_delivered", "Annotations delivered"),
            annotations_failed: add(all, "annotations_failed", "Annotations that failed on both attempts"),
            annotations_waiting: add(all, "annotations_waiting", "Annotations waiting for delivery"),
            annotations_oldest: add_seconds(all, "annotations_oldest", "Age of the oldest waiting annotation"),
            outbox: add(all, "outbox_entries", "Outbox entries"),
            sweep_errors: add(all, "sweep_errors", "Sweeps that failed"),
            swept: add(all, "swept_rows", "Rows removed because they were kept long enough"),
            last_sweep: add_seconds(all, "last_sweep_timestamp", "When this node last finished a sweep, since 1970"),
            data_keys_rotated: add(all, "data_keys_rotated", "Data keys created because the one before was old"),
            data_key_errors: add(all, "data_key_rotation_errors", "Rotations of data keys that failed"),
            data_key_created: add_seconds(
                all,
                "data_key_created_timestamp",
                "When the newest data key was created, since 1970",
            ),
            panics: add(all, "background_task_panics", "Background tasks that panicked and were started again"),
            unreadable: add(all, "unreadable_rows", "Stored rows that cannot be read"),
            registry,
        }
    }
}

/// A new metric of the registry.
fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

/// Seconds since 1970.
fn seconds(instant: Instant) -> f64 {
    Duration::from_millis(u64::try_from(instant.0).unwrap_or_default()).as_secs_f64()
}

/// The same, in seconds.
fn add_seconds<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register_with_unit(name, help, Unit::Seconds, metric.clone());
    metric
}

impl Metrics {
    /// Records a request under its route template, never under its path.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        // Clients can invent methods, and each would become a time series.
        const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
        let labels = RequestLabels { method, route: route.to_owned(), status };
        self.requests.get_or_create(&labels).observe(took.as_secs_f64());
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

    /// Counts an event sent on a stream.
    pub fn event(&self, event: &'static str) {
        self.events.get_or_create(&EventLabel { event }).inc();
    }

    /// Counts a stream as open until the returned guard is dropped.
    pub fn stream(&self, environment: &EnvironmentId) -> OpenStream {
        let gauge = self.streams.get_or_create_owned(&EnvironmentLabel { environment: environment.to_string() });
        gauge.inc();
        OpenStream(gauge)
    }

    /// All metrics in the OpenMetrics text format.
    ///
    /// # Errors
    /// Only when formatting fails.
    pub fn text(&self, reading: &Reading) -> Result<String, std::fmt::Error> {
        self.database_up.set(i64::from(reading.database_up));
        self.database_age.set(reading.database_age.as_secs_f64());
        self.database_busy.inner().fetch_max(reading.turned_away, Ordering::Relaxed);
        self.outbox.set(reading.outbox.map_or(-1, |length| i64::try_from(length).unwrap_or(i64::MAX)));
        let waiting = reading.annotations.map_or(-1, |(waiting, _)| i64::try_from(waiting).unwrap_or(i64::MAX));
        self.annotations_waiting.set(waiting);
        self.annotations_oldest.set(reading.annotations.map_or(-1.0, |(_, oldest)| oldest.as_secs_f64()));
        self.versions.clear();
        for (environment, version) in &reading.versions {
            let label = EnvironmentLabel { environment: environment.to_string() };
            self.versions.get_or_create(&label).set(*version);
        }
        for (task, panics) in &reading.panics {
            self.panics.get_or_create(&TaskLabel { task }).inner().fetch_max(*panics, Ordering::Relaxed);
        }
        self.unreadable.clear();
        for table in &reading.unreadable {
            self.unreadable.get_or_create(&TableLabel { table }).inc();
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Counts a stream as open while it lives.
pub struct OpenStream(Gauge);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}
