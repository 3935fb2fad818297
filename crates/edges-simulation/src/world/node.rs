//! A node: the origin or an edge.

use std::time::Duration;

use flagservice_core::Since;
use flagservice_server::edge::follow_state::FollowState;
use flagservice_server::serving::upstream_health::Standing;

use crate::snapshot::Snapshot;
use crate::units::Micros;

/// A node.
pub(super) struct Node {
    /// 0: the origin.
    pub(super) level: u32,
    /// The upstreams among which a balancer chooses.
    pub(super) parents: Vec<u32>,
    /// From its upstream to it, one way.
    pub(super) latency: Micros,
    pub(super) max_age: Option<Duration>,
    pub(super) is_up: bool,
    /// Packets to it are lost while it is down; otherwise connections are refused.
    pub(super) is_dark: bool,
    pub(super) is_draining: bool,
    /// How many partitions are between it and its upstreams, and between it and its clients.
    pub(super) cut: u32,
    pub(super) cut_from_clients: u32,
    /// Counts its starts and ends.
    pub(super) process: u32,
    pub(super) started_at: Micros,
    /// The code of the server that decides.
    pub(super) state: FollowState,
    /// What it serves.
    pub(super) snapshot: Option<Snapshot>,
    /// What it has, also while it is too old to be served.
    pub(super) has: Option<Snapshot>,
    pub(super) file: Option<Snapshot>,
    /// When the last message of the server came, as its file says.
    pub(super) file_message_at: Option<Micros>,
    pub(super) is_unwritten: bool,
    pub(super) open_link: Option<u32>,
    /// Its edges.
    pub(super) links: Vec<u32>,
    /// The open streams of its clients: the client, and the number of its stream.
    pub(super) streams: Vec<(u32, u32)>,
    /// Streams that wait for a version.
    pub(super) waiting: Vec<(u32, u32, Since)>,
    pub(super) timer: u32,
    pub(super) timer_at: Option<Micros>,
    pub(super) was_current: bool,
    /// The last that it had, in memory or on its disk: the simulation's own record.
    pub(super) had: Option<Snapshot>,
    /// The highest version of each epoch that this process has served.
    pub(super) highest: Vec<Since>,
}

impl Node {
    pub(super) fn new(level: u32, parents: Vec<u32>, latency: Micros, max_age: Option<Duration>) -> Self {
        Self {
            level,
            parents,
            latency,
            max_age,
            is_up: true,
            is_dark: false,
            is_draining: false,
            cut: 0,
            cut_from_clients: 0,
            process: 0,
            started_at: 0,
            state: FollowState::new(max_age, Standing::new(None)),
            snapshot: None,
            has: None,
            file: None,
            file_message_at: None,
            is_unwritten: false,
            open_link: None,
            links: Vec::new(),
            streams: Vec::new(),
            waiting: Vec::new(),
            timer: 0,
            timer_at: None,
            was_current: false,
            had: None,
            highest: Vec::new(),
        }
    }

    /// The time since its start.
    pub(super) fn since_start(&self, now: Micros) -> Duration {
        Duration::from_micros(now.saturating_sub(self.started_at))
    }
}
