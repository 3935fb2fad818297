//! The invariants. They do not ask the server's code: they know what was written, which nodes run, and which paths are open.

use std::time::Duration;

use flagservice_server::serving::edge_feed::Revision as _;

use super::tree::World;
use crate::snapshot::{KEYS, Snapshot};
use crate::units::{Micros, ORIGIN, SECOND};

/// How long an edge may need to be current once all faults have ended.
const HEALED_WITHIN: Micros = 2 * SECOND;

/// How long a revoked client key may count on an edge that is connected.
const REVOKED_WITHIN: Micros = 5 * SECOND;

/// The file with the time of the last message may be so old.
const FILE_AGE: Micros = 10 * SECOND;

impl World {
    /// Computes which edges have a path to the origin, and until when they may know of it. Parents are before their edges.
    pub(super) fn refresh_truth(&mut self) {
        for id in 0..self.nodes.len() {
            let node = &self.nodes[id];
            let is_open = node.is_up && !node.is_draining && node.cut == 0;
            let parents = || node.parents.iter().map(|parent| self.truth.path(*parent));
            let (any, all) = match id {
                ORIGIN => (is_open, is_open),
                _ => (is_open && parents().any(|path| path.any), is_open && parents().all(|path| path.all)),
            };
            // An upstream without a path says how old what it has is.
            let upstreams = node.parents.iter().filter(|parent| is_open && self.nodes[**parent].is_up);
            let known_until = upstreams.map(|parent| self.truth.path(*parent).any_until).max().unwrap_or_default();
            let Some(path) = self.truth.paths.get_mut(id as usize) else { continue };
            path.any_until = if path.any || any { self.now } else { path.any_until.max(known_until) };
            if path.all || all {
                path.all_until = self.now;
            }
            if path.all && self.now >= path.all_from + HEALED_WITHIN {
                path.current_until = self.now;
            }
            if all && !path.all {
                path.all_from = self.now;
            }
            (path.any, path.all) = (any, all);
        }
    }

    /// A connection of this edge broke: it and those below may need a moment.
    pub(super) fn path_broke(&mut self, id: u32) {
        for below in id..self.nodes.len() {
            let is_below = below == id || self.nodes[below].parents.contains(&id);
            if let Some(path) = self.truth.paths.get_mut(below as usize).filter(|_| is_below) {
                path.all_from = self.now;
            }
        }
    }

    /// A node serves a version: no lower one than before, in each epoch.
    pub(super) fn check_version(&mut self, id: u32, snapshot: Snapshot) {
        let version = snapshot.version();
        let highest = &mut self.nodes[id].highest;
        match highest.iter_mut().find(|known| known.epoch == version.epoch) {
            Some(known) if known.version > version.version => {
                let known = known.version;
                self.violated(format!("edge {id} serves version {} after {known}", version.version));
            }
            Some(known) => *known = version,
            None => highest.push(version),
        }
    }

    /// A load with this key has come to an edge, and is answered with values or not.
    pub(super) fn check_load(&mut self, edge: u32, key: u32, is_answered: bool) {
        let node = &self.nodes[edge];
        if is_answered {
            self.check_key(edge, key);
        } else if node.had.is_some_and(|had| had.has_key(key))
            && self.truth.now.has_edge(edge)
            && !self.may_be_too_old(edge)
        {
            self.violated(format!("edge {edge} does not answer a load with key {key}, although it had what it needs"));
        }
    }

    /// Whether an edge with `--max-age` may have stopped, or may not have begun again.
    fn may_be_too_old(&self, edge: u32) -> bool {
        let path = self.truth.path(edge);
        let Some(max_age) = self.nodes[edge].max_age else { return false };
        let max_age = max_age.as_micros() as Micros;
        let is_healed = path.all && self.now >= path.all_from + HEALED_WITHIN;
        !is_healed && self.now.saturating_sub(path.current_until) + FILE_AGE + HEALED_WITHIN > max_age
    }

    /// A revoked key counts nowhere for longer than it may.
    pub(super) fn check_key(&mut self, edge: u32, key: u32) {
        let Some(revoked_at) = self.truth.revoked_at.get(key as usize).copied().flatten() else { return };
        let path = self.truth.path(edge);
        let reached_from = revoked_at.max(path.all_from + HEALED_WITHIN);
        let until = if path.all { self.now } else { path.all_until };
        let is_late = until >= reached_from + REVOKED_WITHIN;
        let max_age = self.nodes[edge].max_age.map_or(Micros::MAX, |max_age| max_age.as_micros() as Micros);
        let is_too_old = !path.any && self.now.saturating_sub(path.any_until) > max_age.saturating_add(SECOND);
        if is_late || is_too_old {
            let how = if path.any { "is connected" } else { "is disconnected" };
            let after = (self.now - revoked_at) as f64 / SECOND as f64;
            self.violated(format!("key {key} counts {after:.1} s after it was revoked on edge {edge}, which {how}"));
        }
    }

    /// All keys on all edges.
    pub(super) fn check_keys(&mut self) {
        for edge in 1..self.nodes.len() {
            for key in 0..KEYS {
                if self.nodes[edge].snapshot.is_some_and(|snapshot| snapshot.has_key(key)) {
                    self.check_key(edge, key);
                }
            }
            self.check_edge_key(edge);
        }
    }

    /// An edge whose key is revoked serves nothing, once it is connected.
    fn check_edge_key(&mut self, edge: u32) {
        let path = self.truth.path(edge);
        let is_connected = path.all && self.now >= path.all_from + HEALED_WITHIN + REVOKED_WITHIN;
        if is_connected && !self.truth.now.has_edge(edge) && self.nodes[edge].snapshot.is_some() {
            let revoked_at = self.written.get(&(self.truth.now.epoch, self.truth.now.version)).copied();
            if revoked_at.is_some_and(|at| self.now >= at + REVOKED_WITHIN) {
                self.violated(format!("edge {edge} serves although its key is revoked"));
            }
        }
    }

    /// All faults have ended.
    pub(super) fn healed(&mut self) {
        self.truth.healed_at = Some(self.now);
        self.figures.healed_at = self.now;
    }

    /// Every edge has what the origin has.
    pub(super) fn check_edges(&mut self, is_first: bool) {
        let now = self.truth.now;
        for edge in 1..self.nodes.len() {
            if !now.has_edge(edge) {
                continue;
            }
            if self.nodes[edge].snapshot != Some(now) {
                let has = self.nodes[edge].snapshot;
                return self.violated(format!("edge {edge} is not current: it has {has:?}, the origin {now:?}"));
            }
            let current_at = self.truth.path(edge).current_at.unwrap_or_default();
            if let Some(healed_at) = self.truth.healed_at.filter(|_| is_first) {
                self.figures.current_after(Duration::from_micros(current_at.saturating_sub(healed_at)));
            }
        }
    }

    /// Every client has what the origin has. One whose key was revoked, or the key of its edge, was answered 404: it waits until somebody
    /// looks at its page.
    pub(super) fn check_clients(&mut self) {
        let now = self.truth.now;
        for place in 0..self.clients.len() {
            let client = &self.clients[place];
            let group = self.groups.get(client.group as usize).map(Vec::as_slice).unwrap_or_default();
            let is_stopped = self.truth.ever_revoked & (1 << client.key) != 0
                || self.truth.revoked_edges.iter().any(|edge| group.contains(edge));
            if !is_stopped && client.known != Some(now.since()) {
                let known = client.known;
                return self.violated(format!("client {place} has {known:?}, the origin {now:?}"));
            }
            if client.is_streaming && !now.has_key(client.key) {
                return self.violated(format!("client {place} has a stream although its key is revoked"));
            }
        }
    }
}
