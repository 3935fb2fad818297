//! Targetings that comparisons have read before. One is read again, from the database and from JSON, only when it has changed:
//! a targeting has its environment's version as of its last change, so whatever is not newer than what is known is known.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flagservice_rules::Targeting;
use serde_json::value::{RawValue, to_raw_value};

use crate::app::Result;
use crate::domain::environment::Environment;
use crate::domain::ids::EnvironmentId;
use crate::store::changes::targetings::UnreadTargetings;

/// The most that is kept, in bytes of the targetings' JSON; what is read of it takes about five times as much.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// How long an environment is kept that nobody compares.
const KEPT_FOR: Duration = Duration::from_secs(15);

/// A targeting that was read.
pub struct CachedTargeting {
    /// What it serves to whom.
    pub targeting: Targeting,
    /// Its rules in JSON.
    pub rules: Box<RawValue>,
}

impl CachedTargeting {
    /// A targeting, with its rules written.
    pub fn new(targeting: Targeting) -> Result<Self> {
        let rules = to_raw_value(&targeting.rules).map_err(anyhow::Error::new)?;
        Ok(Self { targeting, rules })
    }
}

/// The targetings of an environment, as of its version, by the ids of their features: each with its own version.
pub struct CachedEnvironment {
    epoch: u64,
    version: u64,
    targetings: HashMap<String, (u64, Arc<CachedTargeting>)>,
    bytes: usize,
}

impl CachedEnvironment {
    /// The targetings that were read, with those of the cache that have not changed since.
    pub fn new(environment: &Environment, read: Option<&UnreadTargetings>, cached: Option<&Self>) -> Result<Self> {
        let Environment { epoch, version, .. } = *environment;
        let mut all = Self { epoch, version, targetings: HashMap::new(), bytes: 0 };
        let Some(read) = read else { return Ok(all) };
        for line in read.lines() {
            let line = line?;
            let unchanged = cached.filter(|_| line.text.is_empty());
            let targeting = match unchanged.and_then(|cached| cached.targetings.get(line.feature)) {
                Some((_, targeting)) => Arc::clone(targeting),
                None => Arc::new(CachedTargeting::new(line.read()?)?),
            };
            all.bytes += targeting.rules.get().len();
            all.targetings.insert(line.feature.to_owned(), (line.version, targeting));
        }
        Ok(all)
    }

    /// A feature's targeting, with its version.
    pub fn get(&self, feature: &str) -> Option<&(u64, Arc<CachedTargeting>)> {
        self.targetings.get(feature)
    }

    /// As of which version it is known.
    pub fn version(&self) -> u64 {
        self.version
    }
}

/// What the comparisons of this node remember: of the environments that were compared last.
#[derive(Default)]
pub struct ComparisonCache(Mutex<VecDeque<Compared>>);

/// An environment that was compared.
struct Compared {
    id: EnvironmentId,
    cached: Arc<CachedEnvironment>,
    used_at: Instant,
}

impl ComparisonCache {
    /// The cached environment, unless it has another epoch or a later version.
    pub fn get(&self, environment: &Environment) -> Option<Arc<CachedEnvironment>> {
        let mut all = self.all();
        let compared = all.iter_mut().find(|compared| compared.id == environment.id)?;
        let Compared { cached, used_at, .. } = compared;
        let usable = cached.epoch == environment.epoch && cached.version <= environment.version;
        usable.then(|| {
            *used_at = Instant::now();
            Arc::clone(cached)
        })
    }

    /// Remembers it, and forgets those that were compared longest ago.
    pub fn put(&self, environment: &Environment, cached: Arc<CachedEnvironment>) {
        let mut all = self.all();
        all.retain(|compared| compared.id != environment.id);
        all.push_front(Compared { id: environment.id.clone(), cached, used_at: Instant::now() });
        let mut bytes = 0;
        all.retain(|compared| {
            bytes += compared.cached.bytes;
            bytes <= MOST_BYTES
        });
    }

    /// Forgets the environments that nobody has compared for a while.
    pub fn drop_unused(&self) {
        let mut all = self.all();
        let (used, unused): (VecDeque<_>, VecDeque<_>) =
            all.drain(..).partition(|compared| compared.used_at.elapsed() < KEPT_FOR);
        *all = used;
        if !unused.is_empty() {
            // Millions of small values take their time to free.
            tokio::task::spawn_blocking(move || drop(unused));
        }
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Compared>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
