//! A transaction that the application writes in.

use crate::domain::ids::EnvironmentId;
use crate::store;
use crate::store::Connection;
use crate::store::changes::outbox::NewEntry;

/// A transaction under way. Dropped without [`App::commit`](crate::app::App::commit), it changes nothing.
pub struct Write<'a>(pub(in crate::app) store::Write<'a>);

impl Write<'_> {
    /// The connection, for the queries of the store.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn connection(&mut self) -> store::Result<&mut Connection> {
        self.0.connection().await
    }

    /// Raises the environment's version and keeps what changed under it, for those who follow the environment.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn publish(&mut self, entry: &NewEntry<'_>) -> store::Result<u64> {
        self.0.publish(entry).await
    }

    /// Notes that an environment is gone: its followers are woken, and there is no version of it to wait for.
    pub fn forget(&mut self, environment: &EnvironmentId) {
        self.0.forget(environment);
    }

    /// Makes the changes durable without waiting until this node evaluates by them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn commit(self) -> store::Result<Vec<(EnvironmentId, Option<u64>)>> {
        self.0.commit().await
    }
}
