//! This node's Prometheus metrics. No label contains a user, a key or a token; environment ids are not secret.

mod database;
mod registration;
mod upstream;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::domain::ids::EnvironmentId;
use crate::metrics::registration::add;

pub use database::{DatabaseMetrics, Reading};
pub use upstream::{EdgeReading, UpstreamMetrics};

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
    /// Connections closed at once, because there were too many in all or from their address.
    pub connections_refused: Counter,
    /// Requests and streams rejected by a rate limit.
    pub rate_limited: Counter,
    /// What a server has.
    pub database: DatabaseMetrics,
    upstream: UpstreamMetrics,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new(true)
    }
}

impl Metrics {
    /// The metrics of an edge.
    pub fn of_edge() -> Self {
        Self::new(false)
    }

    /// Metrics that the node does not have are in a registry that nobody reads.
    fn new(has_database: bool) -> Self {
        let mut registry = Registry::with_prefix("flagservice");
        let mut hidden = Registry::default();
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
            connections_refused: add(
                all,
                "connections_refused",
                "Connections closed at once, because there were too many",
            ),
            rate_limited: add(all, "rate_limited", "Requests and streams rejected by a rate limit"),
            database: DatabaseMetrics::new(if has_database { &mut registry } else { &mut hidden }),
            upstream: UpstreamMetrics::new(if has_database { &mut hidden } else { &mut registry }),
            registry,
        }
    }
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
        self.database.set(reading);
        self.set_versions(&reading.versions);
        self.encoded()
    }

    /// All metrics of an edge in the OpenMetrics text format.
    ///
    /// # Errors
    /// Only when formatting fails.
    pub fn edge_text(&self, reading: &EdgeReading) -> Result<String, std::fmt::Error> {
        self.upstream.set(reading);
        self.set_versions(&reading.versions);
        self.encoded()
    }

    fn set_versions(&self, versions: &[(EnvironmentId, u64)]) {
        self.versions.clear();
        for (environment, version) in versions {
            let label = EnvironmentLabel { environment: environment.to_string() };
            self.versions.get_or_create(&label).set(*version);
        }
    }

    fn encoded(&self) -> Result<String, std::fmt::Error> {
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
