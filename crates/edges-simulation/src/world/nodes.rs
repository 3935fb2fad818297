//! Processes of nodes: they start, publish, write files, and end.

use std::time::Duration;

use flagservice_server::edge::follow_state::FollowState;
use flagservice_server::serving::edge_feed::Revision as _;
use flagservice_server::serving::upstream_health::Standing;

use super::event::{Event, StreamMessage};
use super::link::environment;
use super::node::Node;
use super::tree::World;
use crate::defect::Defect;
use crate::snapshot::{KEYS, Snapshot};
use crate::units::{Micros, ORIGIN, SECOND};

/// How often an edge notes in a file when the last message came.
const LAST_MESSAGE_INTERVAL: Micros = 10 * SECOND;

impl World {
    /// All nodes, up. The origin has a version; edges connect.
    pub(super) fn create_nodes(&mut self) {
        let shape = self.plan.shape;
        self.nodes.add(Node::new(0, Vec::new(), 0, None));
        for place in 0..shape.first_level + shape.second_level {
            let parents = self.plan.parents(place);
            let latency = self.network_random.u64(5_000..60_000);
            let level = if place < shape.first_level { 1 } else { 2 };
            let node = Node::new(level, parents, latency, self.plan.max_age(place));
            self.nodes.add(node);
        }
        self.truth.begin(self.nodes.len());
        let first = Snapshot { epoch: self.plan.seed | 1, version: 1, keys: (1 << KEYS) - 1, revoked_edge: None };
        self.nodes[ORIGIN].state = FollowState::new(None, Standing::new(Some(Duration::ZERO)));
        self.write(first);
        for id in 1..self.nodes.len() {
            self.schedule_timer(id);
        }
    }

    /// The origin has a new version.
    pub(super) fn write(&mut self, snapshot: Snapshot) {
        self.written.insert((snapshot.epoch, snapshot.version), self.now);
        self.truth.written(snapshot, self.now);
        self.note("write", ORIGIN, snapshot.version);
        self.publish(ORIGIN, snapshot);
    }

    /// An edge has a version, and serves it unless that is too old.
    pub(super) fn has_snapshot(&mut self, id: u32, snapshot: Snapshot) {
        let node = &mut self.nodes[id];
        node.has = Some(snapshot);
        if !node.is_unwritten {
            node.is_unwritten = true;
            let (at, process) = (self.now + self.network_random.u64(0..SECOND), node.process);
            self.queue.add(at, Event::Write { node: id, process });
        }
        if self.nodes[id].state.is_serving() {
            self.publish(id, snapshot);
        }
    }

    /// A node serves a version from now on.
    pub(super) fn publish(&mut self, id: u32, snapshot: Snapshot) {
        self.check_version(id, snapshot);
        let node = &mut self.nodes[id];
        node.snapshot = Some(snapshot);
        node.had = Some(snapshot);
        self.note("serves", id, snapshot.version);
        self.note_propagation(id, snapshot);
        let mut slot = 0;
        for link in self.open_links(id) {
            self.feed(link, &mut slot);
        }
        self.fan_out(id, snapshot, &mut slot);
    }

    /// Notes how long a version took to an edge.
    fn note_propagation(&mut self, id: u32, snapshot: Snapshot) {
        let level = self.nodes[id].level;
        if let Some(written_at) = self.written.get(&(snapshot.epoch, snapshot.version)) {
            self.figures.reached_edge(level, *written_at, self.now);
        }
        if level > 0 && self.nodes[ORIGIN].snapshot == Some(snapshot) {
            self.truth.is_current(id, self.now);
        }
    }

    pub(super) fn write_files(&mut self, id: u32) {
        let node = &mut self.nodes[id];
        node.is_unwritten = false;
        if node.has.is_some() {
            node.file = node.has;
        }
    }

    /// A node serves nothing any longer: the streams of its clients end.
    pub(super) fn stop_serving(&mut self, id: u32) {
        self.nodes[id].snapshot = None;
        self.note("stops serving", id, 0);
        for (client, stream) in std::mem::take(&mut self.nodes[id].streams) {
            self.send_to_client(client, stream, StreamMessage::Failed, 0);
        }
        let mut slot = 0;
        for link in self.open_links(id) {
            self.feed(link, &mut slot);
        }
    }

    /// A node tells everybody to come back later, and stops soon.
    pub(super) fn drain(&mut self, id: u32) {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        const SPREAD_MS: u64 = 10_000;
        if !self.nodes[id].is_up {
            return;
        }
        self.nodes[id].is_draining = true;
        let streams = std::mem::take(&mut self.nodes[id].streams);
        for (place, (client, stream)) in streams.into_iter().enumerate() {
            let after_ms = ((((place as u64).wrapping_mul(GOLDEN)) >> 32) * SPREAD_MS) >> 32;
            self.send_to_client(client, stream, StreamMessage::Reload(after_ms as u32), place as u64);
        }
        for link in self.open_links(id) {
            self.send_reload(link);
        }
        self.write_files(id);
    }

    /// The process of a node ends. `is_dark`: nobody is told, because the machine is gone.
    pub(super) fn end_process(&mut self, id: u32, is_dark: bool) {
        if !self.nodes[id].is_up {
            return;
        }
        self.settle(id);
        self.note_message_file(id);
        for link in self.open_links(id) {
            self.end_link(link, is_dark);
        }
        for (client, stream) in std::mem::take(&mut self.nodes[id].streams) {
            self.lose_stream(client, stream, is_dark);
        }
        if let Some(link) = self.nodes[id].open_link.take() {
            self.links[link].is_alive = false;
        }
        let node = &mut self.nodes[id];
        node.is_up = false;
        node.is_dark = is_dark;
        node.is_draining = false;
        node.process += 1;
        node.timer += 1;
        node.timer_at = None;
        node.waiting.clear();
        node.highest.clear();
        if id != ORIGIN {
            node.snapshot = None;
            node.has = None;
            node.had = node.file;
        }
        self.note("ends", id, u64::from(is_dark));
    }

    /// What the file says of the last message.
    fn note_message_file(&mut self, id: u32) {
        let (now, node) = (self.now, &self.nodes[id]);
        let Some(age) = node.state.standing().age(node.since_start(now)) else { return };
        let age = age.as_micros() as Micros;
        let unwritten = if node.open_link.is_some() { self.network_random.u64(0..LAST_MESSAGE_INTERVAL) } else { 0 };
        let at = now.saturating_sub(age).saturating_sub(unwritten);
        self.nodes[id].file_message_at = Some(self.nodes[id].file_message_at.unwrap_or_default().max(at));
    }

    /// A node starts, with its files or without.
    pub(super) fn start_process(&mut self, id: u32, is_wiped: bool) {
        if self.nodes[id].is_up {
            return;
        }
        let (now, node) = (self.now, &mut self.nodes[id]);
        if is_wiped {
            node.file = None;
            node.had = None;
            node.file_message_at = None;
        }
        node.is_up = true;
        node.is_dark = false;
        node.process += 1;
        node.started_at = now;
        node.is_unwritten = false;
        node.was_current = false;
        self.note("starts", id, u64::from(is_wiped));
        if id == ORIGIN {
            return;
        }
        let node = &mut self.nodes[id];
        let age = node.file_message_at.map(|at| Duration::from_micros(now.saturating_sub(at)));
        node.state = FollowState::new(node.max_age, Standing::new(age));
        if let Some(file) = node.file {
            node.state.applied(environment(), file.since());
            node.has = Some(file);
            self.publish(id, file);
            let actions = self.nodes[id].state.stop_if_too_old(Duration::ZERO);
            self.carry_out(id, actions);
        }
        self.schedule_timer(id);
    }

    /// What a bundle becomes in an edge. A planted defect loses revocations behind the first edge.
    pub(super) fn received_bundle(&self, id: u32, parent: u32, snapshot: Snapshot) -> Snapshot {
        let known = self.nodes[id].snapshot;
        let is_lost = self.defect == Some(Defect::LostRevocation) && parent != ORIGIN;
        let keys = if is_lost { known.map_or(0, |known| known.keys) } else { 0 };
        Snapshot { keys: snapshot.keys | keys, ..snapshot }
    }
}
