//! The follower: one task that has the outbox of every environment read from its own cursor and publishes new snapshots.
//!
//! It is woken after each commit of any node, polls in case a notification was lost, and publishes again when a time condition
//! changes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use flagservice_rules::Instant;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use crate::app::serving::snapshot::{EnvironmentSnapshot, Published};
use crate::app::serving::updates::{EnvironmentVersion, FollowedEnvironment};
use crate::app::{App, AppError, Result};
use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
use crate::live::reads::{Finished, Reads, Subject};

/// How often the versions of all environments are read, in case a notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Follows the outbox.
pub struct Follower {
    app: Arc<App>,
    wakes: Receiver<Wake>,
    reads: Reads,
    /// The cursor: what has been read of each environment.
    published: HashMap<EnvironmentId, PublishedEnvironment>,
}

struct PublishedEnvironment {
    snapshot: Arc<EnvironmentSnapshot>,
    /// When a time condition changes next.
    next_time_change: Option<Instant>,
}

impl Follower {
    /// A follower that continues from the snapshots in memory.
    pub fn new(app: &Arc<App>) -> Self {
        let wakes = app.wakes();
        let published = app.snapshots.environments().into_iter().filter_map(|id| {
            let Published { snapshot, at } = app.snapshots.current(&id)?;
            let next_time_change = snapshot.next_turn(at);
            Some((id, PublishedEnvironment { snapshot, next_time_change }))
        });
        Self { wakes, reads: Reads::new(app), published: published.collect(), app: Arc::clone(app) }
    }

    /// Reads every environment, so that evaluation can begin.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn read_all(mut self) -> anyhow::Result<()> {
        self.reads.request(Subject::Versions);
        let mut all = Ok(());
        loop {
            self.start_reads();
            // One environment that cannot be read does not keep the others from being read.
            match self.reads.next().await {
                Some(finished) => all = self.finish(finished).and(all),
                None => return all.context("cannot read the environments"),
            }
        }
    }

    /// Runs until the sender of `stopped` is dropped. Failures are logged; the snapshots stay, and the next poll tries again.
    pub async fn run(mut self, mut stopped: watch::Receiver<()>) {
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        loop {
            self.start_reads();
            let next_time_change = self.published.values().filter_map(|known| known.next_time_change).min();
            let clock = Arc::clone(&self.app.clock);
            tokio::select! {
                _ = stopped.changed() => return self.reads.end().await,
                woken = self.wakes.recv() => match woken {
                    Ok(wake) => self.request(wake),
                    Err(RecvError::Lagged(_)) => self.request(Wake::All),
                    Err(RecvError::Closed) => return self.reads.end().await,
                },
                () = async { match next_time_change {
                    Some(instant) => clock.sleep_until(instant).await,
                    None => std::future::pending().await,
                } } => self.publish_time_changes(),
                _ = poll.tick() => {
                    self.app.snapshots.drop_earlier_versions();
                    self.app.comparison_cache.drop_unused();
                    self.request(Wake::All);
                }
                Some(finished) = self.reads.next() => self.finish(finished).unwrap_or_else(|error| self.report(error)),
            }
        }
    }

    /// Requests what a wake is about, unless it is known already.
    fn request(&mut self, wake: Wake) {
        let subject = match wake {
            Wake::All => Subject::Versions,
            Wake::Environment { environment, version } => {
                let known = self.published.get(&environment).map(|known| known.snapshot.version);
                if version.is_some() && known >= version {
                    return;
                }
                Subject::Environment(environment)
            }
        };
        self.reads.request(subject);
    }

    fn start_reads(&mut self) {
        self.reads.start(|id| self.published.get(id).map(|known| Arc::clone(&known.snapshot)));
    }

    /// Uses what was read.
    fn finish(&mut self, finished: Finished) -> Result<()> {
        match finished {
            Finished::Versions(versions) => self.compare_versions(&versions?),
            Finished::Environment(id, read) => match read? {
                FollowedEnvironment::Changed(snapshot) => {
                    let of_features = snapshot.unreadable.iter().map(|(_, row)| row);
                    let unreadable = of_features.chain(&snapshot.unreadable_keys).cloned();
                    self.app.set_aside.note_served(&id, unreadable);
                    self.publish(&id, Arc::new(snapshot), self.app.now());
                }
                FollowedEnvironment::Unchanged => {}
                // Its last snapshot stays.
                FollowedEnvironment::Unreadable(row) => self.app.set_aside.note_served(&id, [row]),
                FollowedEnvironment::Deleted => {
                    self.published.remove(&id);
                    self.app.snapshots.remove(&id);
                    self.app.set_aside.note_served(&id, []);
                }
            },
        }
        Ok(())
    }

    /// Requests every environment whose version has changed.
    fn compare_versions(&mut self, versions: &[EnvironmentVersion]) {
        if self.app.note_db_health(true) {
            tracing::info!("the database responds again");
        }
        let stored: HashMap<_, _> =
            versions.iter().map(|stored| (&stored.environment_id, (stored.epoch, stored.version))).collect();
        for id in self.published.keys().filter(|id| !stored.contains_key(id)) {
            self.reads.request(Subject::Environment(id.clone()));
        }
        for (id, version) in stored {
            let known = self.published.get(id).map(|known| (known.snapshot.epoch, known.snapshot.version));
            if known != Some(version) {
                self.reads.request(Subject::Environment(id.clone()));
            }
        }
    }

    fn report(&self, error: AppError) {
        if let AppError::Unavailable(error) = error {
            if self.app.note_db_health(false) {
                let error = format!("{error:#}");
                tracing::error!(error, "the database does not respond; evaluation continues from memory");
            }
        } else {
            let error = format!("{:#}", anyhow::Error::new(error));
            tracing::error!(error, "cannot read changes from the database");
        }
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
