//! The service itself: what people and clients may ask of it, without HTTP and without SQL.

pub mod access_tokens;
pub mod actor;
pub mod aspects;
pub mod audiences;
pub mod change;
pub mod client;
pub mod client_keys;
pub mod environments;
mod error;
pub mod features;
pub mod gate;
pub mod keyring;
pub mod projects;
pub mod seed;
pub mod snapshot;
pub mod stream_token;
pub mod targeting;

use std::sync::Arc;

use flagservice_rules::Instant;

use crate::clock::Clock;
use crate::random::Random;
use crate::store::Store;
use keyring::Keyring;
use snapshot::Snapshots;

pub use actor::Actor;
pub use error::AppError;

/// Result of what the application does.
pub type Result<T> = std::result::Result<T, AppError>;

/// The application with all that it stands on.
pub struct App {
    /// The database.
    pub store: Store,
    /// What is known in memory.
    pub snapshots: Snapshots,
    /// What encrypts.
    pub keyring: Keyring,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
}

impl App {
    /// The present instant.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }
}
