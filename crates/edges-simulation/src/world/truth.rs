//! What is true: what was written, which keys count, and which paths are open.

use std::collections::BTreeSet;

use crate::snapshot::{KEYS, Snapshot};
use crate::units::Micros;

/// What is true.
#[derive(Default)]
pub(super) struct Truth {
    /// What the origin has, or had when it ended.
    pub(super) now: Snapshot,
    /// When each client key was revoked.
    pub(super) revoked_at: [Option<Micros>; KEYS as usize],
    /// The client keys that did not count for some time.
    pub(super) ever_revoked: u32,
    /// The edges whose edge key did not count for some time.
    pub(super) revoked_edges: BTreeSet<u32>,
    pub(super) paths: Vec<Path>,
    pub(super) healed_at: Option<Micros>,
}

/// The path from an edge to the origin.
#[derive(Clone, Copy, Default)]
pub(super) struct Path {
    /// Over any of its upstreams, and over all of them.
    pub(super) any: bool,
    pub(super) all: bool,
    /// When there was last one over any.
    pub(super) any_until: Micros,
    /// The last time in which it was open over all.
    pub(super) all_from: Micros,
    pub(super) all_until: Micros,
    /// The end of the last time that was long enough for the edge to be current.
    pub(super) current_until: Micros,
    pub(super) current_at: Option<Micros>,
}

impl Truth {
    pub(super) fn begin(&mut self, nodes: u32) {
        self.paths = vec![Path { any: true, all: true, ..Path::default() }; nodes as usize];
    }

    pub(super) fn written(&mut self, snapshot: Snapshot, at: Micros) {
        self.now = snapshot;
        self.ever_revoked |= !snapshot.keys;
        self.revoked_edges.extend(snapshot.revoked_edge);
        for (key, revoked_at) in (0..).zip(&mut self.revoked_at) {
            *revoked_at = if snapshot.has_key(key) { None } else { revoked_at.or(Some(at)) };
        }
    }

    pub(super) fn is_current(&mut self, id: u32, at: Micros) {
        if let Some(path) = self.paths.get_mut(id as usize) {
            path.current_at = Some(at);
        }
    }

    pub(super) fn path(&self, id: u32) -> Path {
        self.paths.get(id as usize).copied().unwrap_or_default()
    }
}
