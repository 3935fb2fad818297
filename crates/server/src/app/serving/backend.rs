//! The backend of a server: what serving needs of the database.

use std::sync::{Arc, Weak};
use std::time::Duration;

use anyhow::anyhow;
use async_trait::async_trait;
use flagservice_rules::Instant;
use tokio::sync::Mutex;

use crate::app::secrets::keyring::Keyring;
use crate::app::serving::{goal_writer, key_use_writer};
use crate::app::{App, Result};
use crate::domain::environment::Wake;
use crate::domain::experiments::participation::ClientReport;
use crate::domain::ids::EnvironmentId;
use crate::sealing::SealingKey;
use crate::serving::backend::Backend;
use crate::serving::last_use::UsedKey;
use crate::serving::upstream_health::MAX_CURRENT_AGE;
use crate::store::resources::{edge_keys, environments};
use crate::store::{is_busy, is_unreachable};

/// How long the database may take to say which version it has.
const CATCH_UP_WITHIN: Duration = Duration::from_secs(3);

/// The database, and the application that uses it.
pub struct Database {
    app: Weak<App>,
    keyring: Arc<Keyring>,
    /// Edge keys are looked up one by one: invented ones must not take the connections of others.
    lookup: Mutex<()>,
}

impl Database {
    /// The application owns what owns this.
    pub fn new(app: Weak<App>, keyring: Arc<Keyring>) -> Self {
        Self { app, keyring, lookup: Mutex::default() }
    }

    fn app(&self) -> Result<Arc<App>> {
        Ok(self.app.upgrade().ok_or_else(|| anyhow!("the node has stopped"))?)
    }
}

#[async_trait]
impl Backend for Database {
    fn knows_all_keys(&self) -> bool {
        self.app().is_ok_and(|app| app.database_lost_for().is_none() && app.snapshot_age() <= MAX_CURRENT_AGE)
    }

    async fn is_unknown_edge_key(&self, hash: &str) -> Result<bool> {
        if !self.knows_all_keys() {
            return Ok(false);
        }
        let app = self.app()?;
        let read = async {
            let _turn = self.lookup.lock().await;
            edge_keys::has_access(&mut *app.store.read().await?, hash).await
        };
        match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
            Ok(Ok(has_access)) => Ok(!has_access),
            Ok(Err(error)) if !is_unreachable(&error) && !is_busy(&error) => Err(error.into()),
            Ok(Err(_)) | Err(_) => Ok(false),
        }
    }

    fn age(&self) -> Option<Duration> {
        self.app().ok().map(|app| app.snapshot_age())
    }

    fn token_keys(&self, environment: &EnvironmentId) -> Arc<[SealingKey]> {
        self.keyring.token_keys(environment)
    }

    async fn take_up_token_keys(&self) -> Result<()> {
        let app = self.app()?;
        let read = async { app.keyring.follow(&mut *app.store.read().await?).await };
        match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
            Ok(Err(error)) if !is_unreachable(&error) && !is_busy(&error) => Err(error.into()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    async fn catch_up(&self, environment: &EnvironmentId, version: u64) -> Result<bool> {
        let app = self.app()?;
        let read = async { environments::get(&mut *app.store.read().await?, environment).await };
        let stored = match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
            Ok(Ok(stored)) => stored.map(|environment| environment.version),
            Ok(Err(error)) if !is_unreachable(&error) && !is_busy(&error) => return Err(error.into()),
            Ok(Err(_)) | Err(_) => None,
        };
        let Some(stored) = stored.filter(|stored| *stored >= version) else { return Ok(false) };
        app.store.wake(Wake::Environment { environment: environment.clone(), version: Some(stored) });
        let snapshots = &app.serving.snapshots;
        snapshots.wait_for(environment, version).await;
        Ok(snapshots.current(environment).is_some_and(|now| now.snapshot.version >= version))
    }

    async fn keep_report(&self, environment: EnvironmentId, report: ClientReport) -> Result<usize> {
        goal_writer::keep(&self.app()?, environment, report).await
    }

    fn note_use(&self, key: UsedKey, at: Instant) {
        if let Ok(app) = self.app() {
            key_use_writer::write_later(&app, key, at);
        }
    }
}
