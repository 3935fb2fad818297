//! The follower: one task that reads the outbox of every environment by a cursor of its own and publishes what it finds.
//!
//! It is woken after each commit of any node, polls in case a wake-up was lost, and publishes again when a time condition turns.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use flagservice_rules::Instant;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::compile;
use crate::app::App;
use crate::app::snapshot::{EnvironmentSnapshot, Published};
use crate::ids::EnvironmentId;
use crate::store::{Connection, Error, Wake, environments, is_unreachable, outbox};

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
        let wakes = app.store.wakes();
        let mut follower = Self { app, wakes, known: HashMap::new() };
        let mut connection = follower.app.store.read().await?;
        follower.poll(&mut connection).await.context("the environments could not be read")?;
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
                Err(error) if !is_unreachable(&error) => {
                    tracing::error!(%error, "changes cannot be read from the database")
                }
                Err(error) => {
                    if self.app.store.contact().lost() {
                        tracing::error!(%error, "the database does not answer; evaluation goes on with what is known");
                    }
                }
            }
        }
    }

    /// Reads what there is to know, and gives up on a database that says nothing.
    async fn follow(&mut self, wake: Wake) -> crate::store::Result<()> {
        if let Wake::Environment { environment, version: Some(version) } = &wake
            && self.known.get(environment).is_some_and(|known| known.snapshot.version >= *version)
        {
            return Ok(());
        }
        let app = Arc::clone(&self.app);
        let mut connection = timeout(PATIENCE, app.store.probe()).await.map_err(|_| Error::PoolTimedOut)??;
        let read = async {
            match &wake {
                Wake::Environment { environment, .. } => self.refresh(&mut connection, environment).await,
                Wake::All => self.poll(&mut connection).await,
            }
        };
        match timeout(PATIENCE, read).await {
            Ok(read) => read?,
            Err(_) => {
                // Its answer may still come, or never: nobody else is to wait for it.
                drop(connection.detach());
                return Err(Error::PoolTimedOut);
            }
        }
        if app.store.contact().made() {
            tracing::info!("the database answers again");
        }
        Ok(())
    }

    /// Reads the data keys if there is a new one, and every environment whose version is not the known one.
    async fn poll(&mut self, connection: &mut Connection) -> crate::store::Result<()> {
        self.app.keyring.follow(connection).await?;
        let versions = environments::versions(connection).await?;
        let gone = |id: &EnvironmentId| !versions.iter().any(|(environment, ..)| environment == id);
        for id in self.known.keys().filter(|id| gone(id)).cloned().collect::<Vec<_>>() {
            self.refresh(connection, &id).await?;
        }
        for (environment, epoch, version) in versions {
            let known = self.known.get(&environment).map(|known| (known.snapshot.epoch, known.snapshot.version));
            if known != Some((epoch, version)) {
                self.refresh(connection, &environment).await?;
            }
        }
        Ok(())
    }

    /// Reads what the outbox has of the environment, and publishes it.
    async fn refresh(&mut self, connection: &mut Connection, id: &EnvironmentId) -> crate::store::Result<()> {
        let Some(environment) = environments::get(connection, id).await? else {
            self.known.remove(id);
            self.app.snapshots.remove(id);
            return Ok(());
        };
        let known = self.known.get(id).map(|known| &known.snapshot).filter(|known| known.epoch == environment.epoch);
        let snapshot = match known {
            None => compile::whole(connection, &environment).await?,
            Some(known) if known.version >= environment.version => return Ok(()),
            Some(known) => {
                let entries = outbox::after(connection, id, known.version).await?;
                let features: BTreeSet<_> = entries.into_iter().filter_map(|entry| entry.feature_id).collect();
                compile::changed(connection, &environment, known, &features).await?
            }
        };
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
