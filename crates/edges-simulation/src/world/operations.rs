//! The entries of a plan: writes, faults, and checks.

use super::tree::World;
use crate::plan::Operation;
use crate::snapshot::Snapshot;
use crate::units::ORIGIN;

impl World {
    pub(super) fn carry_out_operation(&mut self, operation: Operation) {
        match operation {
            Operation::Change => self.change(|_| {}),
            Operation::Revoke(key) => self.change(|snapshot| snapshot.keys &= !(1 << key)),
            Operation::Allow(key) => self.change(|snapshot| snapshot.keys |= 1 << key),
            Operation::RevokeEdge(edge) => self.change(|snapshot| snapshot.revoked_edge = Some(edge)),
            Operation::End { node, is_dark } => self.end_process(node, is_dark),
            Operation::Start { node, is_wiped } => self.start_process(node, is_wiped),
            Operation::Drain(node) => self.drain(node),
            Operation::Restore { epoch, back } => self.restore(epoch, back),
            Operation::Cut(node) => {
                self.nodes[node].cut += 1;
                if let Some(link) = self.nodes[node].open_link {
                    self.end_link(link, true);
                }
            }
            Operation::Join(node) => self.nodes[node].cut -= 1,
            Operation::CutFromClients(node) => {
                self.nodes[node].cut_from_clients += 1;
                self.lose_streams(node, true);
            }
            Operation::JoinClients(node) => self.nodes[node].cut_from_clients -= 1,
            Operation::Break { node, is_silent } => {
                if let Some(link) = self.nodes[node].open_link {
                    self.end_link(link, is_silent);
                    self.path_broke(node);
                }
            }
            Operation::LoseStreams { node, is_silent } => self.lose_streams(node, is_silent),
            Operation::Visit(client) => self.visit(client),
            Operation::Finale => {
                for client in 0..self.clients.len() {
                    self.clients[client].is_returning = false;
                }
            }
            Operation::Healed => self.healed(),
            Operation::CheckEdges { is_first } => self.check_edges(is_first),
            Operation::CheckKeys => self.check_keys(),
            Operation::CheckSpread => {
                let found = self.figures.too_close(&self.plan);
                for what in found {
                    self.violated(what);
                }
            }
            Operation::CheckClients => self.check_clients(),
        }
    }

    /// Somebody changes something. Without the origin nobody can.
    fn change(&mut self, change: impl FnOnce(&mut Snapshot)) {
        if let Some(now) = self.nodes[ORIGIN].snapshot.filter(|_| self.nodes[ORIGIN].is_up) {
            let mut next = Snapshot { version: now.version + 1, ..now };
            change(&mut next);
            self.figures.changes += 1;
            self.write(next);
        }
    }

    /// The database of the origin is restored from a backup, while it is down: an earlier version, with a new epoch.
    fn restore(&mut self, epoch: u64, back: u64) {
        let now = self.truth.now;
        let version = now.version.saturating_sub(back).max(1);
        self.figures.restores += 1;
        self.start_process(ORIGIN, false);
        self.write(Snapshot { epoch, version, ..now });
    }
}
