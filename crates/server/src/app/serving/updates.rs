//! Reads what the follower needs: the versions of all environments, and the changes of one environment.

use std::collections::BTreeSet;

use crate::app::serving::compile;
use crate::app::serving::snapshot::EnvironmentSnapshot;
use crate::app::{App, Result};
use crate::domain::environment::Environment;
use crate::domain::ids::EnvironmentId;
use crate::store::ReadConnection;
use crate::store::changes::outbox;
use crate::store::resources::environments;

/// A connection for reading changes.
pub struct Updates(ReadConnection);

impl Updates {
    /// Connects, even while the database is marked as unreachable.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn open(app: &App) -> Result<Self> {
        Ok(Self(app.store.probe().await?))
    }

    /// Loads a new data key, if there is one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn follow_keys(&mut self, app: &App) -> Result<()> {
        Ok(app.keyring.follow(&mut self.0).await?)
    }

    /// Every environment with its epoch and version.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn versions(&mut self) -> Result<Vec<(EnvironmentId, u64, u64)>> {
        Ok(environments::versions(&mut self.0).await?)
    }

    /// The environment. `None` if it was deleted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn environment(&mut self, id: &EnvironmentId) -> Result<Option<Environment>> {
        Ok(environments::get(&mut self.0, id).await?)
    }

    /// Compiles the features that changed since the known snapshot, or all features if there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn compile(
        &mut self,
        environment: &Environment,
        known: Option<&EnvironmentSnapshot>,
    ) -> Result<EnvironmentSnapshot> {
        let Some(known) = known else { return compile::whole(&mut self.0, environment).await };
        let entries = outbox::after(&mut self.0, &environment.id, known.version).await?;
        let features: BTreeSet<_> = entries.into_iter().filter_map(|entry| entry.feature_id).collect();
        compile::changed(&mut self.0, environment, known, &features).await
    }

    /// Discards the connection. Its answer may still be pending, so it cannot be reused.
    pub fn abandon(self) {
        drop(self.0.detach());
    }
}
