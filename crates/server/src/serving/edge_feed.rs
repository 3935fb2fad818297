//! What a node sends to an edge that follows it. It decides by versions alone and does no I/O, so that the simulation runs the same code
//! (docs/decisions/0042).

use std::collections::BTreeMap;

use flagservice_core::Since;

use crate::domain::ids::EnvironmentId;

/// What a node has of an environment.
pub trait Revision: Clone {
    /// Its epoch and version; the digest does not count.
    fn version(&self) -> Since;

    /// The point that its rules stand for.
    fn since(&self) -> Since;

    /// Whether an edge that has `other` has all of this.
    fn is_same(&self, other: &Self) -> bool;
}

/// Something to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<R> {
    /// All of an environment.
    Whole(EnvironmentId, R),
    /// What changed in an environment.
    Changes {
        /// The environment.
        environment: EnvironmentId,
        /// What the edge has.
        before: R,
        /// What it is to have.
        now: R,
    },
    /// The edge key no longer gives access to this environment.
    Gone(EnvironmentId),
    /// The edge has everything; it forgets other environments.
    Current(Vec<EnvironmentId>),
}

/// One edge that follows this node.
pub struct EdgeFeed<R> {
    /// What it had when it connected.
    known: BTreeMap<EnvironmentId, Since>,
    /// What its key reaches.
    reached: Vec<EnvironmentId>,
    sent: BTreeMap<EnvironmentId, R>,
    has_sent_current: bool,
}

impl<R: Revision> EdgeFeed<R> {
    /// An edge that names what it has.
    pub fn new(known: impl IntoIterator<Item = (EnvironmentId, Since)>) -> Self {
        let known = known.into_iter().collect();
        Self { known, reached: Vec::new(), sent: BTreeMap::new(), has_sent_current: false }
    }

    /// Whether nothing is left that the edge follows.
    pub fn is_over(&self) -> bool {
        self.reached.is_empty()
    }

    /// What the edge does not have yet of the environments that its key reaches now. `is_current`: this node has everything that the
    /// server has. Otherwise it takes nothing away from the edge, which may know more.
    pub fn due(&mut self, reached: Vec<(EnvironmentId, R)>, is_current: bool) -> Vec<Part<R>> {
        let mut parts = Vec::new();
        let ids: Vec<_> = reached.iter().map(|(id, _)| id.clone()).collect();
        let missing: Vec<_> = self.reached.iter().filter(|id| !ids.contains(id)).cloned().collect();
        self.reached.clone_from(&ids);
        for id in missing {
            if is_current {
                self.sent.remove(&id);
                self.known.remove(&id);
                parts.push(Part::Gone(id));
            } else {
                self.reached.push(id);
            }
        }
        for (id, now) in reached {
            parts.extend(self.environment(id, now, is_current));
        }
        if is_current && !self.has_sent_current {
            self.has_sent_current = true;
            parts.push(Part::Current(ids));
        }
        parts
    }

    fn environment(&mut self, id: EnvironmentId, now: R, is_current: bool) -> Option<Part<R>> {
        let known = self.known.get(&id);
        if known.is_some_and(|known| !now.version().may_replace(known)) {
            // Another node has sent the edge a later version, which this one is about to read.
            return None;
        }
        let is_other_epoch = known.is_some_and(|known| known.epoch != now.version().epoch);
        if is_other_epoch && !is_current && !self.sent.contains_key(&id) {
            // Versions of two epochs cannot be compared: perhaps this node has not learned yet that the server was restored.
            return None;
        }
        let before = match self.sent.get(&id) {
            Some(sent) if now.is_same(sent) => return None,
            Some(sent) if sent.version().epoch == now.version().epoch => Some(sent.clone()),
            None if self.known.get(&id).is_some_and(|known| *known == now.since()) => Some(now.clone()),
            Some(_) | None => None,
        };
        self.sent.insert(id.clone(), now.clone());
        Some(match before {
            Some(before) => Part::Changes { environment: id, before, now },
            None => Part::Whole(id, now),
        })
    }
}

#[cfg(test)]
mod tests {
    use flagservice_core::Since;

    use super::{EdgeFeed, Part, Revision};
    use crate::domain::ids::EnvironmentId;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Version(u64, u64);

    impl Revision for Version {
        fn version(&self) -> Since {
            Since { epoch: self.0, version: self.1, digest: 0 }
        }

        fn since(&self) -> Since {
            self.version()
        }

        fn is_same(&self, other: &Self) -> bool {
            self == other
        }
    }

    fn id() -> EnvironmentId {
        "e".to_owned().into()
    }

    fn since(epoch: u64, version: u64) -> Since {
        Since { epoch, version, digest: 0 }
    }

    #[test]
    fn an_edge_gets_what_it_does_not_have_and_then_changes() {
        let mut feed = EdgeFeed::new([]);
        let whole = feed.due(vec![(id(), Version(1, 5))], true);
        assert_eq!(whole, [Part::Whole(id(), Version(1, 5)), Part::Current(vec![id()])]);
        assert_eq!(feed.due(vec![(id(), Version(1, 5))], true), []);
        let changes = Part::Changes { environment: id(), before: Version(1, 5), now: Version(1, 6) };
        assert_eq!(feed.due(vec![(id(), Version(1, 6))], true), [changes]);
        assert_eq!(feed.due(vec![(id(), Version(2, 1))], true), [Part::Whole(id(), Version(2, 1))]);
    }

    #[test]
    fn a_node_that_is_behind_sends_nothing_until_it_has_caught_up() {
        let mut feed = EdgeFeed::new([(id(), since(1, 7))]);
        assert_eq!(feed.due(vec![(id(), Version(1, 6))], false), []);
        let changes = Part::Changes { environment: id(), before: Version(1, 7), now: Version(1, 7) };
        assert_eq!(feed.due(vec![(id(), Version(1, 7))], true), [changes, Part::Current(vec![id()])]);
    }

    #[test]
    fn another_epoch_waits_until_the_node_has_everything_that_the_server_has() {
        let mut feed = EdgeFeed::new([(id(), since(2, 1))]);
        assert_eq!(feed.due(vec![(id(), Version(1, 9))], false), []);
        assert_eq!(feed.due(vec![(id(), Version(3, 1))], true).first(), Some(&Part::Whole(id(), Version(3, 1))));
        assert_eq!(feed.due(vec![(id(), Version(4, 1))], false), [Part::Whole(id(), Version(4, 1))]);
    }

    #[test]
    fn a_node_that_does_not_have_everything_takes_nothing_away() {
        let mut feed = EdgeFeed::new([]);
        feed.due(vec![(id(), Version(1, 5))], true);
        assert_eq!(feed.due(Vec::new(), false), []);
        assert!(!feed.is_over());
        assert_eq!(feed.due(Vec::new(), true), [Part::Gone(id())]);
        assert!(feed.is_over());
    }
}
