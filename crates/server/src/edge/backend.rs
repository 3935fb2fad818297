//! The backend of an edge. The upstream is reached in the background, so no request waits for it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use arc_swap::ArcSwap;
use async_trait::async_trait;
use flagservice_rules::Instant;
use tokio::sync::watch;

use crate::domain::experiments::participation::ClientReport;
use crate::domain::ids::EnvironmentId;
use crate::edge::report_files::ReportFiles;
use crate::error::Result;
use crate::sealing::SealingKey;
use crate::serving::Serving;
use crate::serving::backend::Backend;
use crate::serving::last_use::UsedKey;
use crate::serving::upstream_health::UpstreamHealth;

/// How long a client may wait for a version or a key that this edge does not have yet.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(3);

/// The keys of stream tokens by environment.
type TokenKeys = HashMap<EnvironmentId, Arc<[SealingKey]>>;

/// What an edge knows beside snapshots, and what it has to report.
pub(super) struct EdgeBackend {
    serving: Weak<Serving>,
    health: Arc<UpstreamHealth>,
    token_keys: ArcSwap<TokenKeys>,
    /// Notified of each change of these keys.
    token_keys_changed: watch::Sender<()>,
    reports: Arc<ReportFiles>,
    key_uses: Arc<KeyUses>,
}

/// The last uses of keys that are to be reported.
#[derive(Default)]
pub(super) struct KeyUses(Mutex<BTreeMap<UsedKey, Instant>>);

impl KeyUses {
    fn add(&self, key: UsedKey, at: Instant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, at);
    }

    /// Takes all uses.
    pub(super) fn take(&self) -> BTreeMap<UsedKey, Instant> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts uses back that could not be reported, unless the keys have been used since.
    pub(super) fn put_back(&self, uses: BTreeMap<UsedKey, Instant>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, at) in uses {
            waiting.entry(key).or_insert(at);
        }
    }
}

impl EdgeBackend {
    pub(super) fn new(
        serving: Weak<Serving>,
        health: Arc<UpstreamHealth>,
        reports: Arc<ReportFiles>,
        key_uses: Arc<KeyUses>,
    ) -> Self {
        let (token_keys, token_keys_changed) = (ArcSwap::default(), watch::Sender::default());
        Self { serving, health, token_keys, token_keys_changed, reports, key_uses }
    }

    /// Uses these keys from now on for an environment; with `None`, none.
    pub(super) fn set_token_keys(&self, environment: &EnvironmentId, keys: Option<&Arc<[SealingKey]>>) {
        self.token_keys.rcu(|known| {
            let mut known = TokenKeys::clone(known);
            match keys {
                Some(keys) => known.insert(environment.clone(), Arc::clone(keys)),
                None => known.remove(environment),
            };
            known
        });
        self.token_keys_changed.send_replace(());
    }
}

#[async_trait]
impl Backend for Arc<EdgeBackend> {
    fn knows_all_keys(&self) -> bool {
        self.health.is_current()
    }

    async fn is_unknown_edge_key(&self, _: &str) -> Result<bool> {
        Ok(self.knows_all_keys())
    }

    fn age(&self) -> Option<Duration> {
        self.health.age()
    }

    fn token_keys(&self, environment: &EnvironmentId) -> Arc<[SealingKey]> {
        self.token_keys.load().get(environment).map_or_else(|| Arc::from([]), Arc::clone)
    }

    async fn take_up_token_keys(&self) -> Result<()> {
        let mut changes = self.token_keys_changed.subscribe();
        // Without the key, the client loads again and gets a token of this edge.
        let _ = tokio::time::timeout(CATCH_UP_TIMEOUT, changes.changed()).await;
        Ok(())
    }

    async fn catch_up(&self, environment: &EnvironmentId, version: u64) -> Result<bool> {
        let Some(mut published) = self.serving.upgrade().and_then(|serving| serving.snapshots.subscribe(environment))
        else {
            return Ok(false);
        };
        let caught_up = published.wait_for(|published| published.snapshot.version >= version);
        Ok(tokio::time::timeout(CATCH_UP_TIMEOUT, caught_up).await.is_ok_and(|published| published.is_ok()))
    }

    async fn keep_report(&self, environment: EnvironmentId, report: ClientReport) -> Result<usize> {
        self.reports.keep(environment, report).await
    }

    fn note_use(&self, key: UsedKey, at: Instant) {
        self.key_uses.add(key, at);
    }
}
