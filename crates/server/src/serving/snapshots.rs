//! What this node knows of every environment, compiled and in memory, so that evaluation never waits for the database.
//!
//! `live` fills it from the outbox; evaluation and streams read it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{self, Duration};

use tokio::sync::watch;

use crate::domain::ids::{EdgeKeyId, EnvironmentId, SdkKeyId};
use crate::domain::sdk_key::KeyKind;
use crate::serving::last_use::LastUse;
use crate::serving::snapshot::{EnvironmentSnapshot, Published, SnapshotKey};

/// How many versions of an environment are kept beside the latest, and for how long. Thousands of streams whose clients read slowly
/// would keep as many versions, each with all features that changed. A stream that is further behind sends all values.
const EARLIER_VERSIONS: usize = 4;
const EARLIER_VERSIONS_FOR: Duration = Duration::from_secs(5);

/// How long a writer waits for this node's snapshot to contain its change before it answers anyway.
const OWN_WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// A key that counts, and the one environment that it reads.
#[derive(Clone, Debug)]
pub struct SdkKeyRef {
    /// The key.
    pub id: SdkKeyId,
    /// Its environment.
    pub environment_id: EnvironmentId,
    /// What it is for.
    pub kind: KeyKind,
    /// When it was last used.
    pub last_use: Arc<LastUse>,
}

#[derive(Clone, Default)]
struct Index {
    environments: HashMap<EnvironmentId, PublishedVersions>,
    keys: HashMap<String, Arc<SdkKeyRef>>,
}

/// The versions of an environment that are in memory.
#[derive(Clone)]
struct PublishedVersions {
    latest: watch::Sender<Published>,
    /// The versions before it, for streams that have not sent its changes yet.
    earlier: Arc<Mutex<VecDeque<EarlierVersion>>>,
}

/// A version that another has replaced.
struct EarlierVersion {
    replaced_at: time::Instant,
    /// Streams know it while it is here.
    _snapshot: Arc<EnvironmentSnapshot>,
}

impl PublishedVersions {
    fn new(published: Published) -> Self {
        Self { latest: watch::Sender::new(published), earlier: Arc::default() }
    }

    fn earlier(&self) -> MutexGuard<'_, VecDeque<EarlierVersion>> {
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, published: Published) {
        let before = Arc::clone(&self.latest.borrow().snapshot);
        if !Arc::ptr_eq(&before, &published.snapshot) {
            let mut earlier = self.earlier();
            earlier.push_back(EarlierVersion { replaced_at: time::Instant::now(), _snapshot: before });
            if earlier.len() > EARLIER_VERSIONS {
                earlier.pop_front();
            }
        }
        self.latest.send_replace(published);
    }
}

/// The snapshots of all environments.
#[derive(Default)]
pub struct Snapshots {
    index: watch::Sender<Arc<Index>>,
    /// Notified of each publication.
    published: watch::Sender<()>,
}

impl Snapshots {
    /// The key of that kind with this hash, if it counts.
    pub fn key(&self, kind: KeyKind, hash: &str) -> Option<Arc<SdkKeyRef>> {
        self.index.borrow().keys.get(hash).filter(|key| key.kind == kind).cloned()
    }

    /// The environment as it is now, and how to learn of changes.
    pub fn subscribe(&self, environment: &EnvironmentId) -> Option<watch::Receiver<Published>> {
        self.index.borrow().environments.get(environment).map(|versions| versions.latest.subscribe())
    }

    /// The environment as it is now.
    pub fn current(&self, environment: &EnvironmentId) -> Option<Published> {
        self.index.borrow().environments.get(environment).map(|versions| versions.latest.borrow().clone())
    }

    /// All environments that this node knows.
    pub fn environments(&self) -> Vec<EnvironmentId> {
        self.index.borrow().environments.keys().cloned().collect()
    }

    /// The environments that the edge key with this hash reaches.
    pub fn reached_by(&self, hash: &str) -> Vec<EnvironmentId> {
        let index = self.index.borrow();
        let is_reached = |versions: &PublishedVersions| {
            versions.latest.borrow().snapshot.edge_keys.iter().any(|key| key.hash == hash)
        };
        index.environments.iter().filter(|(_, versions)| is_reached(versions)).map(|(id, _)| id.clone()).collect()
    }

    /// The id of the edge key with this hash, if it gives access to an environment.
    pub fn edge_key(&self, hash: &str) -> Option<EdgeKeyId> {
        let index = self.index.borrow();
        let of = |versions: &PublishedVersions| {
            let snapshot = Arc::clone(&versions.latest.borrow().snapshot);
            snapshot.edge_keys.iter().find(|key| key.hash == hash).map(|key| key.id.clone())
        };
        index.environments.values().find_map(of)
    }

    /// Tells when any environment has changed.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.published.subscribe()
    }

    /// Puts a snapshot into force, and tells those who subscribed.
    pub fn publish(&self, environment: &EnvironmentId, published: Published) {
        let index = self.index.borrow().clone();
        let known = index.environments.get(environment);
        let same_keys = known.is_some_and(|known| known.latest.borrow().snapshot.keys == published.snapshot.keys);
        // Keys first: a stream that is woken by the snapshot then sees whether its key still counts.
        if !same_keys {
            let mut changed = Index::clone(&index);
            changed.keys.retain(|_, key| key.environment_id != *environment);
            for SnapshotKey { id, kind, hash } in &published.snapshot.keys {
                // A key that is known keeps what it is known for: open streams have it, too.
                let known = index.keys.get(hash).filter(|known| known.id == *id).cloned();
                let key = known.unwrap_or_else(|| {
                    let (id, environment_id) = (id.clone(), environment.clone());
                    Arc::new(SdkKeyRef { id, environment_id, kind: *kind, last_use: Arc::default() })
                });
                changed.keys.insert(hash.clone(), key);
            }
            if known.is_none() {
                changed.environments.insert(environment.clone(), PublishedVersions::new(published.clone()));
            }
            self.index.send_replace(Arc::new(changed));
        }
        if let Some(known) = known {
            known.publish(published);
        }
        self.published.send_replace(());
    }

    /// Drops the versions that were replaced some time ago.
    pub fn drop_earlier_versions(&self) {
        for versions in self.index.borrow().environments.values() {
            versions.earlier().retain(|version| version.replaced_at.elapsed() < EARLIER_VERSIONS_FOR);
        }
    }

    /// Takes an environment away with its keys; its streams end.
    pub fn remove(&self, environment: &EnvironmentId) {
        let mut changed = Index::clone(&self.index.borrow());
        changed.keys.retain(|_, key| key.environment_id != *environment);
        changed.environments.remove(environment);
        self.index.send_replace(Arc::new(changed));
        self.published.send_replace(());
    }

    /// Waits until this node knows the environment no more.
    pub async fn wait_until_gone(&self, environment: &EnvironmentId) {
        let mut index = self.index.subscribe();
        let gone = index.wait_for(|index| !index.environments.contains_key(environment));
        if tokio::time::timeout(OWN_WRITE_TIMEOUT, gone).await.is_err() {
            tracing::warn!(%environment, "the environment is deleted, but this node still answers for it");
        }
    }

    /// Waits until this node holds the environment at that version or a later one.
    pub async fn wait_for(&self, environment: &EnvironmentId, version: u64) {
        let held = async {
            let mut index = self.index.subscribe();
            let known = index.wait_for(|index| index.environments.contains_key(environment)).await.ok();
            let receiver =
                known.and_then(|index| index.environments.get(environment).map(|versions| versions.latest.subscribe()));
            if let Some(mut receiver) = receiver {
                let _ = receiver.wait_for(|published| published.snapshot.version >= version).await;
            }
        };
        if tokio::time::timeout(OWN_WRITE_TIMEOUT, held).await.is_err() {
            tracing::warn!(%environment, version, "the change is stored, but the snapshot does not hold it yet");
        }
    }
}
