//! What the follower reads: the versions of all environments, and what changed in one of them.

use std::collections::BTreeSet;

use crate::app::serving::compile;
use crate::app::serving::snapshot::EnvironmentSnapshot;
use crate::app::{App, Result};
use crate::domain::environment::Environment;
use crate::domain::ids::EnvironmentId;
use crate::store::ReadConnection;
use crate::store::changes::outbox;
use crate::store::resources::environments;

/// A connection on which changes are read.
pub struct Updates(ReadConnection);

impl Updates {
    /// Connects, also while the database is known not to answer.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn open(app: &App) -> Result<Self> {
        Ok(Self(app.store.probe().await?))
    }

    /// Takes up a new data key, if there is one.
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

    /// The environment as it is now; none when it is gone.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn environment(&mut self, id: &EnvironmentId) -> Result<Option<Environment>> {
        Ok(environments::get(&mut self.0, id).await?)
    }

    /// Compiles the environment: what the outbox says has changed since the known snapshot, or all of it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn compile(
        &mut self,
        environment: &Environment,
        known: Option<&EnvironmentSnapshot>,
    ) -> Result<EnvironmentSnapshot> {
        let Some(known) = known else { return Ok(compile::whole(&mut self.0, environment).await?) };
        let entries = outbox::after(&mut self.0, &environment.id, known.version).await?;
        let features: BTreeSet<_> = entries.into_iter().filter_map(|entry| entry.feature_id).collect();
        Ok(compile::changed(&mut self.0, environment, known, &features).await?)
    }

    /// Gives up the connection: its answer may still come, or never, and nobody else is to wait for it.
    pub fn abandon(self) {
        drop(self.0.detach());
    }
}
