//! Reads what the follower needs: the versions of all environments, and the changes of one environment.

use crate::app::serving::compile;
use crate::app::{App, Result};
use crate::domain::ids::EnvironmentId;
use crate::domain::unreadable_row::UnreadableRow;
use crate::serving::snapshot::EnvironmentSnapshot;
use crate::store::changes::outbox;
use crate::store::resources::environments;
use crate::store::{FOLLOWER_CONNECTIONS, ReadConnection, Readable, is_unreadable};

/// An environment as the database has it, compared with what is known of it.
pub enum FollowedEnvironment {
    /// It is as known.
    Unchanged,
    /// It is new or has changed.
    Changed(EnvironmentSnapshot),
    /// It was deleted.
    Deleted,
    /// Its row cannot be read.
    Unreadable(UnreadableRow),
}

/// The version of an environment. Versions of two epochs cannot be compared.
pub struct EnvironmentVersion {
    /// The environment.
    pub environment_id: EnvironmentId,
    /// Its epoch.
    pub epoch: u64,
    /// Its version.
    pub version: u64,
}

/// How many [`Updates`] can be open at the same time.
pub const MAX_UPDATES: usize = FOLLOWER_CONNECTIONS as usize;

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

    /// The versions of all environments. Those that cannot be read are set aside.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn versions(&mut self, app: &App) -> Result<Vec<EnvironmentVersion>> {
        let Readable { rows, unreadable } = environments::versions(&mut self.0).await?;
        for row in unreadable {
            app.set_aside.note_served(&EnvironmentId::from(row.key.clone()), [row]);
        }
        let version = |(environment_id, epoch, version)| EnvironmentVersion { environment_id, epoch, version };
        Ok(rows.into_iter().map(version).collect())
    }

    /// The environment, with the features compiled that changed since the known snapshot, or all if there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn environment(
        &mut self,
        id: &EnvironmentId,
        known: Option<&EnvironmentSnapshot>,
    ) -> Result<FollowedEnvironment> {
        let environment = match environments::get(&mut self.0, id).await {
            Ok(Some(environment)) => environment,
            Ok(None) => return Ok(FollowedEnvironment::Deleted),
            Err(error) if is_unreadable(&error) => {
                let row = UnreadableRow { table: "environments", key: id.to_string(), problem: error.to_string() };
                return Ok(FollowedEnvironment::Unreadable(row));
            }
            Err(error) => return Err(error.into()),
        };
        let Some(known) = known.filter(|known| known.epoch == environment.epoch) else {
            return Ok(FollowedEnvironment::Changed(compile::whole(&mut self.0, &environment).await?));
        };
        if known.version >= environment.version {
            return Ok(FollowedEnvironment::Unchanged);
        }
        let entries = outbox::after(&mut self.0, &environment.id, known.version).await?;
        // A sweep has removed entries that this node has not read: it was out of touch for days.
        let read_to = entries.last().map_or(known.version, |entry| entry.version);
        let without_gaps = u64::try_from(entries.len()).is_ok_and(|count| known.version + count == read_to);
        if read_to < environment.version || !without_gaps {
            return Ok(FollowedEnvironment::Changed(compile::whole(&mut self.0, &environment).await?));
        }
        let features = entries.into_iter().filter_map(|entry| entry.feature_id).collect();
        Ok(FollowedEnvironment::Changed(compile::changed(&mut self.0, &environment, known, &features).await?))
    }

    /// Discards the connection. Its answer may still be pending, so it cannot be reused.
    pub fn abandon(self) {
        drop(self.0.detach());
    }
}
