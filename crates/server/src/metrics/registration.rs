//! Adds metrics to a registry.

use prometheus_client::registry::{Metric, Registry, Unit};

/// A new metric of the registry.
pub(super) fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

/// The same, in seconds.
pub(super) fn add_seconds<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register_with_unit(name, help, Unit::Seconds, metric.clone());
    metric
}
