//! The service itself: what people and clients may ask of it, without HTTP and without SQL.

pub mod access_tokens;
pub mod actor;
pub mod approvals;
pub mod aspects;
pub mod audiences;
pub mod audit;
mod base_url;
pub mod change;
mod cipher;
pub mod client;
pub mod compare;
pub mod copy;
pub mod credentials;
pub mod decisions;
mod digest;
pub mod document;
pub mod drain;
pub mod environments;
mod error;
pub mod export;
pub mod fan_out;
pub mod features;
mod flaws;
pub mod gate;
pub mod goal_queue;
pub mod goals;
pub mod idempotency;
pub mod import;
pub mod integrations;
pub mod key_change;
pub mod keyring;
mod master_key;
pub mod metrics;
pub mod organisation;
pub mod outbound;
pub mod paging;
pub mod phases;
pub mod pipelines;
pub mod plan;
pub mod pointer;
pub mod preview;
pub mod projects;
pub mod restore;
mod revision;
pub mod rules;
pub mod sdk_keys;
pub mod seed;
pub mod sessions;
pub mod snapshot;
mod staleness;
pub mod stream_token;
pub mod targeting;
pub mod test_events;
mod text;
pub mod users;

use std::sync::Arc;

use flagservice_rules::Instant;

use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::random::Random;
use crate::store::Store;
pub use crate::store::Write;
use drain::Drain;
use goal_queue::GoalQueue;
use keyring::Keyring;
use outbound::Outbound;
use snapshot::Snapshots;
use test_events::TestEvents;

pub use actor::Actor;
pub use base_url::{BaseUrl, InvalidBaseUrl};
pub use error::AppError;
pub use paging::{Page, Paged};
pub use text::{Comment, Description, InvalidText, Name, Remark, RuleName, Salt, Tag};

/// Result of what the application does.
pub type Result<T> = std::result::Result<T, AppError>;

/// The application with all that it stands on.
pub struct App {
    /// The database.
    pub store: Store,
    /// How this node stops.
    pub drain: Drain,
    /// What is known in memory.
    pub snapshots: Snapshots,
    /// What encrypts.
    pub keyring: Keyring,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// What this node counts.
    pub metrics: Metrics,
    /// Goals that are to be written.
    pub goals: GoalQueue,
    /// Requests with an `Idempotency-Key` that are under way.
    pub running: idempotency::Running,
    /// What comparisons have read before.
    pub known: Arc<compare::known::Known>,
    /// Where annotations go to.
    pub outbound: Outbound,
    /// Test events on their way to those who deliver.
    pub test_events: TestEvents,
}

impl App {
    /// The present instant.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin(&self) -> Result<Write<'_>> {
        Ok(self.store.write().await?)
    }

    /// Makes a transaction's changes durable, and returns once this node evaluates by them.
    ///
    /// # Errors
    /// When the database fails; then nothing has changed.
    pub async fn commit(&self, write: Write<'_>) -> Result<()> {
        for (environment, version) in write.commit().await? {
            match version {
                Some(version) => self.snapshots.wait_for(&environment, version).await,
                None => self.snapshots.wait_until_gone(&environment).await,
            }
        }
        Ok(())
    }
}
