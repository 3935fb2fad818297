//! A write transaction of the application.

use crate::domain::ids::EnvironmentId;
use crate::store;
use crate::store::Connection;
use crate::store::changes::outbox::NewEntry;

/// A write transaction. It is rolled back when dropped without [`App::commit`](crate::app::App::commit).
pub struct Write<'a>(pub(in crate::app) store::Write<'a>);

impl Write<'_> {
    /// The connection for queries of the store.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn connection(&mut self) -> store::Result<&mut Connection> {
        self.0.connection().await
    }

    /// Increments the environment's version and writes an outbox entry with it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn publish(&mut self, entry: &NewEntry<'_>) -> store::Result<u64> {
        self.0.publish(entry).await
    }

    /// Records that an environment is deleted: followers are woken, and no version is waited for.
    pub fn forget(&mut self, environment: &EnvironmentId) {
        self.0.forget(environment);
    }

    /// Commits without waiting until this node evaluates the changes.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn commit(self) -> store::Result<Vec<(EnvironmentId, Option<u64>)>> {
        self.0.commit().await
    }
}
