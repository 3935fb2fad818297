//! A connection of an edge to its upstream.

use flagservice_server::domain::ids::EnvironmentId;
use flagservice_server::serving::edge_feed::EdgeFeed;

use crate::snapshot::Snapshot;
use crate::units::Micros;

/// A connection of an edge to its upstream.
pub(super) struct Link {
    pub(super) edge: u32,
    /// The process of the edge, and the number of its attempt.
    pub(super) process: u32,
    pub(super) number: u32,
    pub(super) parent: u32,
    pub(super) feed: EdgeFeed<Snapshot>,
    /// Messages come through.
    pub(super) is_alive: bool,
    pub(super) opened_at: Micros,
    pub(super) last_beat_at: Micros,
}

/// The one environment of a history.
pub(super) fn environment() -> EnvironmentId {
    "environment".to_owned().into()
}
