//! The follower: one task that reads the outbox of every environment with its own cursor and publishes new snapshots.
//!
//! It is woken after each commit of any node, polls in case a notification was lost, and publishes again when a time condition
//! changes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use flagservice_rules::Instant;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::app::serving::snapshot::{EnvironmentSnapshot, Published};
use crate::app::serving::updates::Updates;
use crate::app::{App, AppError, Result};
use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
use crate::live::progress_timeout::{NoProgress, progress_timeout};

/// How often the versions of all environments are read, in case a notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long the database may take to connect, and how long to respond to one question. Reading a large environment takes many.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(3);

/// Follows the outbox.
pub struct Follower {
    app: Arc<App>,
    wakes: Receiver<Wake>,
    /// The cursor: what has been read of each environment.
    published: HashMap<EnvironmentId, PublishedEnvironment>,
}

struct PublishedEnvironment {
    snapshot: Arc<EnvironmentSnapshot>,
    /// When a time condition changes next.
    next_time_change: Option<Instant>,
}

impl Follower {
    /// Reads every environment, so that evaluation can begin.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(app: Arc<App>) -> anyhow::Result<Self> {
        let wakes = app.wakes();
        let mut follower = Self { app, wakes, published: HashMap::new() };
        let mut updates = Updates::open(&follower.app).await?;
        follower.poll(&mut updates).await.context("cannot read the environments")?;
        Ok(follower)
    }

    /// Runs until `stopped` is sent or its sender is dropped. Failures are logged; the snapshots stay, and the next poll tries
    /// again.
    pub async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        loop {
            let next_time_change = self.published.values().filter_map(|known| known.next_time_change).min();
            let clock = Arc::clone(&self.app.clock);
            // Reading is never cancelled: a connection that is cancelled while it opens a file may close it after the service.
            let wake = tokio::select! {
                _ = &mut stopped => return,
                woken = self.wakes.recv() => match woken {
                    Ok(wake) => wake,
                    Err(RecvError::Lagged(_)) => Wake::All,
                    Err(RecvError::Closed) => return,
                },
                () = async { match next_time_change {
                    Some(instant) => clock.sleep_until(instant).await,
                    None => std::future::pending().await,
                } } => {
                    self.publish_time_changes();
                    continue;
                }
                _ = poll.tick() => Wake::All,
            };
            match self.follow(wake).await {
                Ok(()) => {}
                Err(AppError::Unavailable(error)) => {
                    if self.app.note_db_health(false) {
                        let error = format!("{error:#}");
                        tracing::error!(error, "the database does not respond; evaluation continues from memory");
                    }
                }
                Err(error) => {
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::error!(error, "cannot read changes from the database");
                }
            }
        }
    }

    /// Reads the changes, and gives up if the database does not respond in time.
    async fn follow(&mut self, wake: Wake) -> Result<()> {
        if let Wake::Environment { environment, version: Some(version) } = &wake
            && self.published.get(environment).is_some_and(|known| known.snapshot.version >= *version)
        {
            return Ok(());
        }
        let app = Arc::clone(&self.app);
        let mut updates = timeout(DATABASE_TIMEOUT, Updates::open(&app)).await.map_err(|_| timed_out())??;
        let read = async {
            match &wake {
                Wake::Environment { environment, .. } => self.refresh(&mut updates, environment).await,
                Wake::All => self.poll(&mut updates).await,
            }
        };
        match progress_timeout(DATABASE_TIMEOUT, read).await {
            Ok(read) => read?,
            Err(NoProgress) => {
                updates.abandon();
                return Err(timed_out());
            }
        }
        if app.note_db_health(true) {
            tracing::info!("the database responds again");
        }
        Ok(())
    }

    /// Reads new data keys, and every environment whose version has changed.
    async fn poll(&mut self, updates: &mut Updates) -> Result<()> {
        updates.follow_keys(&self.app).await?;
        let versions = updates.versions().await?;
        let is_deleted = |id: &EnvironmentId| !versions.iter().any(|(environment, ..)| environment == id);
        for id in self.published.keys().filter(|id| is_deleted(id)).cloned().collect::<Vec<_>>() {
            self.refresh(updates, &id).await?;
        }
        for (environment, epoch, version) in versions {
            let known = self.published.get(&environment).map(|known| (known.snapshot.epoch, known.snapshot.version));
            if known != Some((epoch, version)) {
                self.refresh(updates, &environment).await?;
            }
        }
        Ok(())
    }

    /// Reads the changes of an environment and publishes a new snapshot.
    async fn refresh(&mut self, updates: &mut Updates, id: &EnvironmentId) -> Result<()> {
        let Some(environment) = updates.environment(id).await? else {
            self.published.remove(id);
            self.app.snapshots.remove(id);
            return Ok(());
        };
        let known =
            self.published.get(id).map(|known| &known.snapshot).filter(|known| known.epoch == environment.epoch);
        if known.is_some_and(|known| known.version >= environment.version) {
            return Ok(());
        }
        let snapshot = updates.compile(&environment, known.map(Arc::as_ref)).await?;
        self.publish(id, Arc::new(snapshot), self.app.now());
        Ok(())
    }

    /// Publishes the environments with changed time conditions again.
    fn publish_time_changes(&mut self) {
        let now = self.app.now();
        let is_due = |known: &PublishedEnvironment| known.next_time_change.is_some_and(|change| change <= now);
        let due: Vec<_> = self
            .published
            .iter()
            .filter(|(_, known)| is_due(known))
            .map(|(id, known)| (id.clone(), Arc::clone(&known.snapshot)))
            .collect();
        for (id, snapshot) in due {
            self.publish(&id, snapshot, now);
        }
    }

    fn publish(&mut self, id: &EnvironmentId, snapshot: Arc<EnvironmentSnapshot>, at: Instant) {
        let next_time_change = snapshot.next_turn(at);
        self.app.snapshots.publish(id, Published { snapshot: Arc::clone(&snapshot), at });
        self.published.insert(id.clone(), PublishedEnvironment { snapshot, next_time_change });
    }
}

fn timed_out() -> AppError {
    AppError::Unavailable(anyhow!("the database did not respond in time"))
}
