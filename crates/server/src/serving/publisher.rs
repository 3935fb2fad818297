//! The one task of a node that publishes snapshots, and publishes them again when a time condition changes.

use std::collections::HashMap;
use std::sync::Arc;

use flagservice_rules::Instant;

use crate::domain::ids::EnvironmentId;
use crate::serving::Serving;
use crate::serving::snapshot::{EnvironmentSnapshot, Published};

/// What has been published.
pub struct Publisher {
    serving: Arc<Serving>,
    published: HashMap<EnvironmentId, PublishedEnvironment>,
}

struct PublishedEnvironment {
    snapshot: Arc<EnvironmentSnapshot>,
    /// When a time condition changes next.
    next_time_change: Option<Instant>,
}

impl Publisher {
    /// Continues from the snapshots in memory.
    pub fn new(serving: &Arc<Serving>) -> Self {
        let published = serving.snapshots.environments().into_iter().filter_map(|id| {
            let Published { snapshot, at } = serving.snapshots.current(&id)?;
            let next_time_change = snapshot.next_turn(at);
            Some((id, PublishedEnvironment { snapshot, next_time_change }))
        });
        Self { published: published.collect(), serving: Arc::clone(serving) }
    }

    /// The last snapshot of an environment.
    pub fn known(&self, id: &EnvironmentId) -> Option<&Arc<EnvironmentSnapshot>> {
        self.published.get(id).map(|known| &known.snapshot)
    }

    /// All environments.
    pub fn environments(&self) -> impl Iterator<Item = &EnvironmentId> {
        self.published.keys()
    }

    /// Publishes a snapshot.
    pub fn publish(&mut self, id: &EnvironmentId, snapshot: Arc<EnvironmentSnapshot>) {
        self.publish_at(id, snapshot, self.serving.now());
    }

    /// Takes an environment away.
    pub fn remove(&mut self, id: &EnvironmentId) {
        self.published.remove(id);
        self.serving.snapshots.remove(id);
    }

    /// Waits until a time condition changes. It borrows nothing, so that others can publish meanwhile.
    pub fn next_time_change(&self) -> impl Future<Output = ()> + Send + use<> {
        let next = self.published.values().filter_map(|known| known.next_time_change).min();
        let clock = Arc::clone(&self.serving.clock);
        async move {
            match next {
                Some(instant) => clock.sleep_until(instant).await,
                None => std::future::pending().await,
            }
        }
    }

    /// Publishes the environments with changed time conditions again.
    pub fn publish_time_changes(&mut self) {
        let now = self.serving.now();
        let is_due = |known: &PublishedEnvironment| known.next_time_change.is_some_and(|change| change <= now);
        let due: Vec<_> = self
            .published
            .iter()
            .filter(|(_, known)| is_due(known))
            .map(|(id, known)| (id.clone(), Arc::clone(&known.snapshot)))
            .collect();
        for (id, snapshot) in due {
            self.publish_at(&id, snapshot, now);
        }
    }

    fn publish_at(&mut self, id: &EnvironmentId, snapshot: Arc<EnvironmentSnapshot>, at: Instant) {
        let next_time_change = snapshot.next_turn(at);
        self.serving.snapshots.publish(id, Published { snapshot: Arc::clone(&snapshot), at });
        self.published.insert(id.clone(), PublishedEnvironment { snapshot, next_time_change });
    }
}
