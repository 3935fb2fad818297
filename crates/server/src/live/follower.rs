//! The follower: one task that reads the outbox of every environment by a cursor of its own and publishes what it finds.
//!
//! It is woken after each commit of any node, polls in case a wake-up was lost, and publishes again when a time condition turns.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use flagservice_rules::Instant;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use crate::app::serving::snapshot::{EnvironmentSnapshot, Published};
use crate::app::serving::updates::Updates;
use crate::app::{App, AppError, Result};
use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;

/// How often the versions of all environments are read, for changes that no wake-up told of.
const POLL: Duration = Duration::from_secs(1);

/// How long the database may take to give a connection, and how long to answer on it.
const PATIENCE: Duration = Duration::from_secs(3);

/// Follows the outbox.
pub struct Follower {
    app: Arc<App>,
    wakes: Receiver<Wake>,
    /// The cursor: what has been read of each environment, and when time alone changes it next.
    known: HashMap<EnvironmentId, Known>,
}

struct Known {
    snapshot: Arc<EnvironmentSnapshot>,
    next_turn: Option<Instant>,
}

impl Follower {
    /// Reads every environment, so that evaluation can begin.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(app: Arc<App>) -> anyhow::Result<Self> {
        let wakes = app.wakes();
        let mut follower = Self { app, wakes, known: HashMap::new() };
        let mut updates = Updates::open(&follower.app).await?;
        follower.poll(&mut updates).await.context("the environments could not be read")?;
        Ok(follower)
    }

    /// Goes on until the task is ended. A failure is told in the log; the snapshot stays, and the next poll tries again.
    pub async fn run(mut self) {
        let mut poll = tokio::time::interval(POLL);
        loop {
            let next_turn = self.known.values().filter_map(|known| known.next_turn).min();
            let clock = Arc::clone(&self.app.clock);
            let wake = tokio::select! {
                woken = self.wakes.recv() => match woken {
                    Ok(wake) => wake,
                    Err(RecvError::Lagged(_)) => Wake::All,
                    Err(RecvError::Closed) => return,
                },
                () = async { match next_turn {
                    Some(instant) => clock.sleep_until(instant).await,
                    None => std::future::pending().await,
                } } => {
                    self.turn();
                    continue;
                }
                _ = poll.tick() => Wake::All,
            };
            match self.follow(wake).await {
                Ok(()) => {}
                Err(AppError::Unavailable(error)) => {
                    if self.app.note_contact(false) {
                        let error = format!("{error:#}");
                        tracing::error!(error, "the database does not answer; evaluation goes on with what is known");
                    }
                }
                Err(error) => {
                    let error = format!("{:#}", anyhow::Error::new(error));
                    tracing::error!(error, "changes cannot be read from the database");
                }
            }
        }
    }

    /// Reads what there is to know, and gives up on a database that says nothing.
    async fn follow(&mut self, wake: Wake) -> Result<()> {
        if let Wake::Environment { environment, version: Some(version) } = &wake
            && self.known.get(environment).is_some_and(|known| known.snapshot.version >= *version)
        {
            return Ok(());
        }
        let app = Arc::clone(&self.app);
        let mut updates = timeout(PATIENCE, Updates::open(&app)).await.map_err(|_| no_answer())??;
        let read = async {
            match &wake {
                Wake::Environment { environment, .. } => self.refresh(&mut updates, environment).await,
                Wake::All => self.poll(&mut updates).await,
            }
        };
        match timeout(PATIENCE, read).await {
            Ok(read) => read?,
            Err(_) => {
                updates.abandon();
                return Err(no_answer());
            }
        }
        if app.note_contact(true) {
            tracing::info!("the database answers again");
        }
        Ok(())
    }

    /// Reads the data keys if there is a new one, and every environment whose version is not the known one.
    async fn poll(&mut self, updates: &mut Updates) -> Result<()> {
        updates.follow_keys(&self.app).await?;
        let versions = updates.versions().await?;
        let gone = |id: &EnvironmentId| !versions.iter().any(|(environment, ..)| environment == id);
        for id in self.known.keys().filter(|id| gone(id)).cloned().collect::<Vec<_>>() {
            self.refresh(updates, &id).await?;
        }
        for (environment, epoch, version) in versions {
            let known = self.known.get(&environment).map(|known| (known.snapshot.epoch, known.snapshot.version));
            if known != Some((epoch, version)) {
                self.refresh(updates, &environment).await?;
            }
        }
        Ok(())
    }

    /// Reads what the outbox has of the environment, and publishes it.
    async fn refresh(&mut self, updates: &mut Updates, id: &EnvironmentId) -> Result<()> {
        let Some(environment) = updates.environment(id).await? else {
            self.known.remove(id);
            self.app.snapshots.remove(id);
            return Ok(());
        };
        let known = self.known.get(id).map(|known| &known.snapshot).filter(|known| known.epoch == environment.epoch);
        if known.is_some_and(|known| known.version >= environment.version) {
            return Ok(());
        }
        let snapshot = updates.compile(&environment, known.map(Arc::as_ref)).await?;
        self.publish(id, Arc::new(snapshot), self.app.now());
        Ok(())
    }

    /// Publishes again the environments whose time conditions have turned.
    fn turn(&mut self) {
        let now = self.app.now();
        let due = |known: &Known| known.next_turn.is_some_and(|turn| turn <= now);
        let turned: Vec<_> = self
            .known
            .iter()
            .filter(|(_, known)| due(known))
            .map(|(id, known)| (id.clone(), Arc::clone(&known.snapshot)))
            .collect();
        for (id, snapshot) in turned {
            self.publish(&id, snapshot, now);
        }
    }

    fn publish(&mut self, id: &EnvironmentId, snapshot: Arc<EnvironmentSnapshot>, at: Instant) {
        let next_turn = snapshot.next_turn(at);
        self.app.snapshots.publish(id, Published { snapshot: Arc::clone(&snapshot), at });
        self.known.insert(id.clone(), Known { snapshot, next_turn });
    }
}

fn no_answer() -> AppError {
    AppError::Unavailable(anyhow!("no answer in time"))
}
