//! Connections between edges and their upstreams. What the edge decides is the server's `FollowState`, what the upstream sends its
//! `EdgeFeed`. Heartbeats are not in the queue: they are made up for when somebody asks (`settle`), because a day has a quarter million
//! of them for each edge.

use std::collections::BTreeSet;
use std::time::Duration;

use flagservice_core::Since;
use flagservice_server::edge::follow_state::{Action, Failure, Moment, News, Verdict};
use flagservice_server::serving::bundle::{BEAT_INTERVAL, Beat};
use flagservice_server::serving::edge_feed::{EdgeFeed, Part, Revision as _};

use super::event::{Event, Message};
use super::link::{Link, environment};
use super::tree::World;
use crate::defect::Defect;
use crate::snapshot::Snapshot;
use crate::units::{Micros, ORIGIN, SEND, UNTIL_REFUSED, UNTIL_REQUEST};

/// The time between two heartbeats.
const BEAT: Micros = BEAT_INTERVAL.as_micros() as Micros;

/// Rounds up, so that a timer never fires too early.
fn micros(time: Duration) -> Micros {
    time.as_nanos().div_ceil(1_000).try_into().unwrap_or(Micros::MAX)
}

impl World {
    /// The connections of the edges that follow a node.
    pub(super) fn open_links(&mut self, id: u32) -> Vec<u32> {
        let mut links = std::mem::take(&mut self.nodes[id].links);
        links.retain(|link| self.links[*link].is_alive);
        self.nodes[id].links.clone_from(&links);
        links
    }

    fn moment(&mut self, id: u32) -> Moment {
        Moment { now: self.nodes[id].since_start(self.now), random: self.edge_random.f64() }
    }

    /// Delivers the last heartbeat that has come by now.
    pub(super) fn settle(&mut self, id: u32) {
        let Some(place) = self.nodes[id].open_link else { return };
        let (latency, link) = (self.nodes[id].latency, &mut self.links[place]);
        let elapsed = self.now.saturating_sub(latency).saturating_sub(link.opened_at);
        let beat_at = link.opened_at + elapsed / BEAT * BEAT;
        if link.is_alive && beat_at > link.last_beat_at {
            link.last_beat_at = beat_at;
            self.deliver_beat(id, place, beat_at);
        }
    }

    fn deliver_beat(&mut self, id: u32, place: u32, beat_at: Micros) {
        let (parent, number) = (self.links[place].parent, self.links[place].number);
        self.settle(parent);
        let beat = self.beat_of(parent, beat_at);
        let node = &mut self.nodes[id];
        let arrived = node.since_start(beat_at + node.latency);
        node.state.received(arrived, number);
        let actions = node.state.beat(arrived, number, beat);
        self.carry_out(id, actions);
    }

    fn beat_of(&self, id: u32, at: Micros) -> Beat {
        let every_ms = BEAT_INTERVAL.as_millis() as u64;
        if id == ORIGIN {
            return Beat { every_ms, age_ms: Some(0) };
        }
        let node = &self.nodes[id];
        let (now, standing) = (node.since_start(at), node.state.standing());
        let age_ms = standing.age(now).map(|age| age.as_millis() as u64);
        match self.defect {
            Some(Defect::LostAge) => Beat { every_ms, age_ms: Some(0) },
            Some(_) | None => Beat { every_ms, age_ms },
        }
    }

    /// Whether a node has everything that the server has.
    pub(super) fn is_current(&mut self, id: u32) -> bool {
        self.settle(id);
        let node = &self.nodes[id];
        id == ORIGIN || node.state.standing().is_current(node.since_start(self.now))
    }

    /// An edge that becomes current says so in its next heartbeat to each edge that follows it.
    fn check_whether_current(&mut self, id: u32) {
        let node = &mut self.nodes[id];
        let is_current = node.state.standing().is_current(node.since_start(self.now));
        let was_current = std::mem::replace(&mut node.was_current, is_current);
        if is_current && !was_current {
            for link in self.open_links(id) {
                let opened_at = self.links[link].opened_at;
                let at = opened_at + (self.now - opened_at).div_ceil(BEAT) * BEAT;
                self.queue.add(at, Event::LinkBeats { link });
            }
        }
    }

    /// A heartbeat, with what the edge does not have.
    pub(super) fn link_beats(&mut self, place: u32) {
        if self.links[place].is_alive {
            let at = self.now + self.nodes[self.links[place].edge].latency;
            self.queue.add(at, Event::ToEdge { link: place, message: Message::Beat });
            self.feed(place, &mut 0);
        }
    }

    /// Schedules the next timer of an edge.
    pub(super) fn schedule_timer(&mut self, id: u32) {
        let node = &mut self.nodes[id];
        let is_alive = node.open_link.is_some_and(|link| self.links[link].is_alive);
        let timer = if is_alive { node.state.next_timer_but_for_silence() } else { Some(node.state.next_timer()) };
        let at = timer.map(|timer| node.started_at.saturating_add(micros(timer)).max(self.now));
        if node.timer_at != at {
            node.timer_at = at;
            node.timer += 1;
            if let Some(at) = at {
                self.queue.add(at, Event::EdgeTimer { node: id, timer: node.timer });
            }
        }
    }

    pub(super) fn edge_timer(&mut self, id: u32, timer: u32) {
        if self.nodes[id].timer != timer {
            return;
        }
        self.nodes[id].timer_at = None;
        self.settle(id);
        let moment = self.moment(id);
        let actions = self.nodes[id].state.timer_fired(moment);
        self.carry_out(id, actions);
        self.schedule_timer(id);
    }

    /// Carries out what an edge has decided.
    pub(super) fn carry_out(&mut self, id: u32, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Connect(number) => self.connect(id, number),
                Action::Close(number) => {
                    let is_open = |link: &u32| self.links[*link].number == number;
                    if let Some(link) = self.nodes[id].open_link.filter(is_open) {
                        self.nodes[id].open_link = None;
                        self.links[link].is_alive = false;
                    }
                }
                Action::Remove(_) => {
                    self.nodes[id].file = None;
                    self.nodes[id].has = None;
                    self.stop_serving(id);
                }
                Action::StopServing(_) => self.stop_serving(id),
                Action::Serve(_) => {
                    if let Some(snapshot) = self.nodes[id].has {
                        self.publish(id, snapshot);
                    }
                    // From now on it can become too old again.
                    self.schedule_timer(id);
                }
                Action::Write => self.write_files(id),
                Action::Tell(News::KeyRevoked) => self.note("is told that its key is revoked", id, 0),
                Action::Tell(News::TooOld) => self.note("is too old", id, 0),
                Action::Tell(News::Connected | News::Lost) => {}
            }
        }
        self.check_whether_current(id);
    }

    fn connect(&mut self, id: u32, number: u32) {
        let node = &self.nodes[id];
        let parent = self.network_random.choice(&node.parents).copied().unwrap_or(ORIGIN);
        let (process, latency) = (node.process, node.latency);
        let upstream = &self.nodes[parent];
        self.figures.attempts += 1;
        if parent == ORIGIN {
            self.figures.attempt_at_origin(self.now);
        }
        if node.cut > 0 || upstream.is_dark {
            return;
        }
        if upstream.is_up {
            let parent_process = upstream.process;
            let arrives = Event::FollowArrives { node: id, process, number, parent, parent_process };
            self.queue.add(self.now + UNTIL_REQUEST * latency, arrives);
        } else {
            let refused = Event::FollowFails { node: id, process, number, failure: Failure::Other };
            self.queue.add(self.now + UNTIL_REFUSED * latency, refused);
        }
    }

    pub(super) fn follow_arrives(&mut self, id: u32, process: u32, number: u32, parent: u32, parent_process: u32) {
        if self.nodes[id].process != process || self.nodes[id].cut > 0 {
            return;
        }
        let (is_sure, latency) = (self.is_current(parent), self.nodes[id].latency);
        let upstream = &self.nodes[parent];
        if upstream.process != parent_process {
            let failed = Event::FollowFails { node: id, process, number, failure: Failure::Other };
            return self.queue.add(self.now + latency, failed);
        }
        if !upstream.snapshot.is_some_and(|snapshot| snapshot.has_edge(id)) {
            // As crates/server/src/http/edge/guard.rs.
            let is_hasty = self.defect == Some(Defect::HastyRejection);
            let failure = if is_sure || is_hasty { Failure::KeyRevoked } else { Failure::Other };
            return self.queue.add(self.now + latency, Event::FollowFails { node: id, process, number, failure });
        }
        let is_forgetful = self.defect == Some(Defect::OlderVersion);
        let known = self.nodes[id].state.known().filter(|_| !is_forgetful);
        let feed = EdgeFeed::new(known.map(|(id, since)| (id.clone(), since)));
        let link = Link {
            edge: id,
            process,
            number,
            parent,
            feed,
            is_alive: true,
            opened_at: self.now,
            last_beat_at: self.now,
        };
        let link = self.links.add(link);
        self.nodes[parent].links.push(link);
        self.figures.edge_connected(self.nodes[id].level, self.now);
        self.queue.add(self.now + latency, Event::FollowAnswered { link });
        self.feed(link, &mut 0);
        if self.nodes[parent].is_draining {
            self.send_reload(link);
        }
    }

    pub(super) fn follow_answered(&mut self, place: u32) {
        let (id, number) = (self.links[place].edge, self.links[place].number);
        if !self.links[place].is_alive || self.links[place].process != self.nodes[id].process {
            return;
        }
        let now = self.nodes[id].since_start(self.now);
        let actions = self.nodes[id].state.responded(now, number);
        if self.nodes[id].state.is_open(number) {
            self.nodes[id].open_link = Some(place);
            self.deliver_beat(id, place, self.links[place].opened_at);
        } else {
            self.links[place].is_alive = false;
        }
        self.note("is connected", id, u64::from(self.links[place].parent));
        // An action closes other attempts, never this one.
        self.carry_out(id, actions);
        self.schedule_timer(id);
    }

    pub(super) fn attempt_failed(&mut self, id: u32, number: u32, failure: Failure) {
        self.settle(id);
        let moment = self.moment(id);
        let actions = self.nodes[id].state.failed(moment, number, failure);
        self.carry_out(id, actions);
        self.schedule_timer(id);
    }

    /// Sends an edge what it does not have.
    pub(super) fn feed(&mut self, place: u32, slot: &mut u64) {
        let (id, parent) = (self.links[place].edge, self.links[place].parent);
        let is_current = self.is_current(parent);
        let snapshot = self.nodes[parent].snapshot.filter(|snapshot| snapshot.has_edge(id));
        let reached = snapshot.map(|snapshot| (environment(), snapshot)).into_iter().collect();
        let link = &mut self.links[place];
        for part in link.feed.due(reached, is_current) {
            let message = match part {
                Part::Whole(_, now) => Message::Whole(now),
                Part::Changes { before, now, .. } => Message::Changes(before.version, now),
                Part::Gone(_) => Message::Gone,
                Part::Current(ids) => Message::Current(!ids.is_empty()),
            };
            *slot += 1;
            let at = self.now + *slot * SEND + self.nodes[id].latency;
            self.queue.add(at, Event::ToEdge { link: place, message });
        }
        if link.feed.is_over() {
            let at = self.now + (*slot + 1) * SEND + self.nodes[id].latency;
            self.queue.add(at, Event::LinkEnded { link: place });
        }
    }

    pub(super) fn send_reload(&mut self, place: u32) {
        let at = self.now + SEND + self.nodes[self.links[place].edge].latency;
        self.queue.add(at, Event::ToEdge { link: place, message: Message::Reload });
    }

    pub(super) fn message(&mut self, place: u32, message: Message) {
        let (id, number) = (self.links[place].edge, self.links[place].number);
        if !self.links[place].is_alive || self.nodes[id].open_link != Some(place) {
            return;
        }
        self.settle(id);
        let moment = self.moment(id);
        self.nodes[id].state.received(moment.now, number);
        match message {
            // It was delivered with those before it.
            Message::Beat => {}
            Message::Whole(snapshot) => self.bundle(place, None, snapshot),
            Message::Changes(after, snapshot) => self.bundle(place, Some(after), snapshot),
            Message::Gone => {
                let actions = self.nodes[id].state.gone(&environment());
                self.carry_out(id, actions);
            }
            Message::Current(has_it) => {
                let environments: BTreeSet<_> = has_it.then(environment).into_iter().collect();
                let actions = self.nodes[id].state.current(moment.now, &environments);
                self.carry_out(id, actions);
            }
            Message::Reload => {
                let actions = self.nodes[id].state.reload(moment, number);
                self.carry_out(id, actions);
            }
        }
        self.schedule_timer(id);
    }

    fn bundle(&mut self, place: u32, after: Option<u64>, snapshot: Snapshot) {
        let Link { edge: id, number, parent, .. } = self.links[place];
        let version = Since { digest: 0, ..snapshot.since() };
        match self.nodes[id].state.bundle(&environment(), version, after) {
            Verdict::Older if self.defect != Some(Defect::OlderVersion) => {
                self.figures.older_bundles += 1;
                self.note("leaves an older bundle", id, snapshot.version);
            }
            Verdict::Gap => {
                self.nodes[id].state.unusable(&environment());
                self.attempt_failed(id, number, Failure::Other);
            }
            Verdict::Apply | Verdict::Older => {
                self.nodes[id].state.applied(environment(), snapshot.since());
                let snapshot = self.received_bundle(id, parent, snapshot);
                self.has_snapshot(id, snapshot);
            }
        }
    }

    /// A connection breaks. `is_silent`: nobody is told.
    pub(super) fn end_link(&mut self, place: u32, is_silent: bool) {
        let id = self.links[place].edge;
        if !self.links[place].is_alive {
            return;
        }
        self.settle(id);
        self.links[place].is_alive = false;
        if !is_silent {
            self.queue.add(self.now + self.nodes[id].latency, Event::LinkEnded { link: place });
        } else if self.nodes[id].open_link == Some(place) {
            self.schedule_timer(id);
        }
    }

    pub(super) fn link_ended(&mut self, place: u32) {
        let Link { edge: id, process, number, .. } = self.links[place];
        if self.nodes[id].process == process {
            self.settle(id);
            self.links[place].is_alive = false;
            self.attempt_failed(id, number, Failure::Other);
        }
    }
}
