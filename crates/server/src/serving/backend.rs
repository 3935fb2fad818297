//! What serving needs of what is behind it: the database of a server, or the upstream of an edge.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use flagservice_rules::Instant;

use crate::domain::experiments::participation::ClientReport;
use crate::domain::ids::EnvironmentId;
use crate::error::Result;
use crate::sealing::SealingKey;
use crate::serving::last_use::UsedKey;

/// The database of a server, or the upstream of an edge.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// Whether a key that this node does not know counts nowhere.
    fn knows_all_keys(&self) -> bool;

    /// Whether no edge key with this hash gives access to an environment, although none of the environments of this node has it. `false`
    /// if this node cannot tell.
    ///
    /// # Errors
    /// When the database fails. One that does not respond cannot tell.
    async fn is_unknown_edge_key(&self, hash: &str) -> Result<bool>;

    /// How old the last message of the server is from which all comes: for the server itself, how long ago it read its database; `None` if
    /// there never was one.
    fn age(&self) -> Option<Duration>;

    /// The keys that encrypt the stream tokens of an environment, oldest first. The last one encrypts, all decrypt.
    fn token_keys(&self, environment: &EnvironmentId) -> Arc<[SealingKey]>;

    /// Takes up keys that another node may have encrypted a token with.
    ///
    /// # Errors
    /// When the database fails. One that does not respond has no new keys.
    async fn take_up_token_keys(&self) -> Result<()>;

    /// Waits until this node serves a version that another node serves already. Returns `false` if it cannot: then the values of this
    /// node would take the client back.
    ///
    /// # Errors
    /// When the database fails.
    async fn catch_up(&self, environment: &EnvironmentId, version: u64) -> Result<bool>;

    /// Keeps a report, each of its goals once; it is durable when this returns. Returns how many goals are kept.
    ///
    /// # Errors
    /// When the environment is gone, too many goals wait, or they cannot be stored.
    async fn keep_report(&self, environment: EnvironmentId, report: ClientReport) -> Result<usize>;

    /// Notes when a key was last used.
    fn note_use(&self, key: UsedKey, at: Instant);
}
