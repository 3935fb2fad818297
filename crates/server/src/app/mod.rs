//! The service itself: what people and clients may ask of it, without HTTP and without SQL.

mod actor;
mod arguments;
mod base_url;
pub mod changes;
pub mod compare;
pub mod compilers;
pub mod delivery;
mod error;
pub mod experiments;
pub mod features;
pub mod insights;
pub mod json;
pub mod metrics;
pub mod operation;
mod paging;
pub mod pointer;
pub mod resources;
pub mod retention;
mod scope;
pub mod secrets;
pub mod seed;
pub mod serving;
pub mod set_aside;
mod text;
mod time_limit;
pub mod transfer;
mod write;

use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;
use tokio::sync::broadcast::Receiver;

use crate::app::changes::running_requests::RunningRequests;
use crate::app::compare::cache::ComparisonCache;
use crate::app::compilers::Compilers;
use crate::app::delivery::outbound::Outbound;
use crate::app::delivery::test_events::TestEvents;
use crate::app::experiments::guard_checks::GuardChecks;
use crate::app::secrets::keyring::Keyring;
use crate::app::serving::goal_keys::GoalKeys;
use crate::app::serving::key_uses::KeyUses;
use crate::app::set_aside::SetAside;
use crate::clock::Clock;
use crate::domain::environment::Wake;
use crate::domain::retention::Retention;
use crate::metrics::Metrics;
use crate::network::Network;
use crate::node::Node;
use crate::random::Random;
use crate::serving::Serving;
use crate::serving::goal_queue::GoalQueue;
use crate::store::{DbHealth, Store};

pub use actor::Actor;
pub use arguments::{Edit, EnvironmentRef, IfMatch, TargetingRef};
pub use base_url::{BaseUrl, InvalidBaseUrl};
pub use error::{AppError, Result};
pub use operation::Operation;
pub use paging::{Page, Paged};
pub use scope::Need;
pub use text::{Comment, Description, InvalidText, Name, Remark, RuleName, Salt, Tag, ViewQuery};
pub use write::Write;

/// The application with all that it stands on.
pub struct App {
    /// The database.
    pub store: Store,
    /// This process.
    pub node: Arc<Node>,
    /// What serves clients and SDKs from memory.
    pub serving: Arc<Serving>,
    /// The stored rows that cannot be read.
    pub set_aside: SetAside,
    /// What encrypts.
    pub keyring: Arc<Keyring>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// The network to destinations.
    pub network: Arc<dyn Network>,
    /// What this node counts.
    pub metrics: Arc<Metrics>,
    /// Goals that are to be written.
    pub goals: GoalQueue,
    /// Experiments whose guards are to be checked.
    pub guard_checks: GuardChecks,
    /// The keys of goals that are stored.
    pub goal_keys: GoalKeys,
    /// Uses of keys that are to be written.
    pub key_uses: KeyUses,
    /// How many patterns are compiled at once.
    pub compilers: Compilers,
    /// Requests with an `Idempotency-Key` that are under way.
    pub running_requests: RunningRequests,
    /// The targetings that comparisons have read.
    pub comparison_cache: Arc<ComparisonCache>,
    /// Where annotations go to.
    pub outbound: Outbound,
    /// Test events on their way to those who deliver.
    pub test_events: TestEvents,
    /// For how long what ends is kept.
    pub retention: Retention,
}

impl App {
    /// The present instant.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// How long the database has not answered; none while it does.
    pub fn database_lost_for(&self) -> Option<Duration> {
        let health = self.store.health();
        health.is_lost().then(|| health.age())
    }

    /// How long ago the follower compared the snapshots with the database. It does so every second.
    pub fn snapshot_age(&self) -> Duration {
        self.store.health().age()
    }

    /// Whether requests have waited in vain for a connection of late, while the database answers.
    pub fn is_database_busy(&self) -> bool {
        self.store.health().is_busy()
    }

    /// Where the follower notes whether the database answers.
    pub fn db_health(&self) -> &DbHealth {
        self.store.health()
    }

    /// Wake-ups: the environments that writers have changed, after each commit.
    pub fn wakes(&self) -> Receiver<Wake> {
        self.store.wakes()
    }

    /// Wakes those who follow the environments.
    pub fn wake(&self, wake: Wake) {
        self.store.wake(wake);
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin(&self) -> Result<Write<'_>> {
        Ok(Write(self.store.write().await?))
    }

    /// Begins a transaction of the background, such as a delivery's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_bulk(&self) -> Result<Write<'_>> {
        Ok(Write(self.store.write_bulk().await?))
    }

    /// Makes a transaction's changes durable, and returns once this node evaluates by them.
    ///
    /// # Errors
    /// When the database fails; then nothing has changed.
    pub async fn commit(&self, write: Write<'_>) -> Result<()> {
        for (environment, version) in write.commit().await? {
            match version {
                Some(version) => self.serving.snapshots.wait_for(&environment, version).await,
                None => self.serving.snapshots.wait_until_gone(&environment).await,
            }
        }
        Ok(())
    }
}
