//! Serving clients and SDKs from memory: snapshots, loads, streams and their tokens. It uses no database; what it needs of one, or of
//! the upstream of an edge, goes through [`Backend`].

pub mod backend;
pub mod backoff;
pub mod bundle;
pub mod bundle_texts;
pub mod client;
pub mod client_limits;
pub mod compressed;
mod digest;
pub mod edge_feed;
pub mod evaluations;
pub mod goal_queue;
pub mod last_use;
pub mod publisher;
pub mod rules;
pub mod snapshot;
pub mod snapshots;
pub mod stream_token;
pub mod text_cache;
pub mod turns;
pub mod upstream_health;

use std::sync::Arc;

use arc_swap::ArcSwap;
use flagservice_rules::Instant;

use crate::clock::Clock;
use crate::domain::experiments::participation::ClientReport;
use crate::domain::ids::EnvironmentId;
use crate::error::Result;
use crate::metrics::Metrics;
use crate::node::Node;
use crate::random::Random;
use crate::serving::backend::Backend;
use crate::serving::client_limits::ClientLimits;
use crate::serving::evaluations::pending::PendingEvaluations;
use crate::serving::last_use::UsedKey;
use crate::serving::snapshots::{SdkKeyRef, Snapshots};
use crate::serving::turns::Turns;

/// What serves the clients and SDKs of this node.
pub struct Serving {
    /// The environments.
    pub snapshots: Snapshots,
    /// This process.
    pub node: Arc<Node>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// What this node counts.
    pub metrics: Arc<Metrics>,
    /// Searches for patterns that take long.
    searches: Turns,
    limits: ArcSwap<ClientLimits>,
    /// What pages have evaluated, until it is stored.
    evaluations: PendingEvaluations,
    /// The database of a server, or the upstream of an edge.
    pub backend: Box<dyn Backend>,
}

impl Serving {
    /// Serves nothing until a snapshot is published.
    pub fn new(
        backend: Box<dyn Backend>,
        node: Arc<Node>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        metrics: Arc<Metrics>,
    ) -> Self {
        let (snapshots, searches, limits) = (Snapshots::default(), Turns::default(), ArcSwap::default());
        let evaluations = PendingEvaluations::default();
        Self { snapshots, node, clock, random, metrics, searches, limits, evaluations, backend }
    }

    /// The present instant.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// The limits for clients.
    pub fn limits(&self) -> ClientLimits {
        **self.limits.load()
    }

    /// Applies these limits from now on.
    pub fn set_limits(&self, limits: ClientLimits) {
        self.limits.swap(Arc::new(limits));
    }

    /// Notes that a key is used now.
    pub fn note_use(&self, key: &SdkKeyRef) {
        let now = self.now();
        if key.last_use.is_due(now) {
            self.backend.note_use(UsedKey::Sdk(key.id.clone()), now);
        }
    }

    /// Keeps a report; it is durable when this returns. Features and variants that the environment does not have are left out of goals
    /// and summaries. Returns how many goals are kept.
    ///
    /// # Errors
    /// Those of [`Backend::keep_report`].
    pub async fn keep_report(&self, environment: EnvironmentId, mut report: ClientReport) -> Result<usize> {
        let published = self.snapshots.current(&environment);
        let exists = |feature: &str, variant: &str| {
            published.as_ref().is_some_and(|published| published.snapshot.has(feature, variant))
        };
        for goal in &mut report.goals {
            goal.features.retain(|feature, variant| exists(feature, variant));
        }
        for summary in &mut report.summaries {
            summary.evaluations.retain(|feature, variants| {
                variants.retain(|variant, _| exists(feature, variant));
                !variants.is_empty()
            });
        }
        self.backend.keep_report(environment, report).await
    }
}
