//! The follower: one task that has the outbox of every environment read from its own cursor and publishes new snapshots.
//!
//! It is woken after each commit of any node, polls in case a notification was lost, and publishes again when a time condition
//! changes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::app::serving::updates::{EnvironmentVersion, FollowedEnvironment};
use crate::app::{App, AppError, Result};
use crate::domain::environment::Wake;
use crate::domain::ids::EnvironmentId;
use crate::live::reads::{Finished, Outcome, Reads, Subject};
use crate::serving::publisher::Publisher;

/// How often the versions of all environments are read, in case a notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Follows the outbox.
pub struct Follower {
    app: Arc<App>,
    wakes: Receiver<Wake>,
    reads: Reads,
    /// The cursor: what has been read of each environment.
    published: Publisher,
}

impl Follower {
    /// A follower that continues from the snapshots in memory.
    pub fn new(app: &Arc<App>) -> Self {
        let (wakes, published) = (app.wakes(), Publisher::new(&app.serving));
        Self { wakes, reads: Reads::new(app), published, app: Arc::clone(app) }
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
                Some(finished) => all = self.finish(finished.outcome).and(all),
                None => return all.context("cannot read the environments"),
            }
        }
    }

    /// Runs until the sender of `stopped` is dropped. Failures are logged; the snapshots stay, and the next poll tries again.
    pub async fn run(mut self, mut stopped: watch::Receiver<()>) {
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        loop {
            self.start_reads();
            let next_time_change = self.published.next_time_change();
            tokio::select! {
                _ = stopped.changed() => return self.reads.end().await,
                woken = self.wakes.recv() => match woken {
                    Ok(wake) => self.request(wake),
                    Err(RecvError::Lagged(_)) => self.request(Wake::All),
                    Err(RecvError::Closed) => return self.reads.end().await,
                },
                () = next_time_change => self.published.publish_time_changes(),
                _ = poll.tick() => {
                    self.app.serving.snapshots.drop_earlier_versions();
                    self.app.comparison_cache.drop_unused();
                    self.request(Wake::All);
                }
                Some(Finished { began, outcome }) = self.reads.next() =>
                    self.finish(outcome).unwrap_or_else(|error| self.report(error, began)),
            }
        }
    }

    /// Requests what a wake is about, unless it is known already.
    fn request(&mut self, wake: Wake) {
        let subject = match wake {
            Wake::All => Subject::Versions,
            Wake::Environment { environment, version } => {
                let known = self.published.known(&environment).map(|known| known.version);
                if version.is_some() && known >= version {
                    return;
                }
                Subject::Environment(environment)
            }
        };
        self.reads.request(subject);
    }

    fn start_reads(&mut self) {
        self.reads.start(|id| self.published.known(id).map(Arc::clone));
    }

    /// Uses what was read.
    fn finish(&mut self, outcome: Outcome) -> Result<()> {
        match outcome {
            Outcome::Versions(versions) => self.compare_versions(&versions?),
            Outcome::Environment(id, read) => self.use_environment(&id, (*read)?),
        }
        Ok(())
    }

    /// Publishes what changed in an environment.
    fn use_environment(&mut self, id: &EnvironmentId, read: FollowedEnvironment) {
        self.app.db_health().note_environment_read();
        match read {
            FollowedEnvironment::Changed(snapshot) => {
                let of_features = snapshot.unreadable.iter().map(|(_, row)| row);
                let unreadable = of_features.chain(&snapshot.unreadable_keys).cloned();
                self.app.set_aside.note_served(id, unreadable);
                self.published.publish(id, Arc::new(snapshot));
            }
            FollowedEnvironment::Unchanged => {}
            // Its last snapshot stays.
            FollowedEnvironment::Unreadable(row) => self.app.set_aside.note_served(id, [row]),
            FollowedEnvironment::Deleted => {
                self.published.remove(id);
                self.app.set_aside.note_served(id, []);
            }
        }
    }

    /// Requests every environment whose version has changed.
    fn compare_versions(&mut self, versions: &[EnvironmentVersion]) {
        if self.app.db_health().note_versions_read() {
            tracing::info!("the database responds again");
        }
        let stored: HashMap<_, _> =
            versions.iter().map(|stored| (&stored.environment_id, (stored.epoch, stored.version))).collect();
        for id in self.published.environments().filter(|id| !stored.contains_key(id)) {
            self.reads.request(Subject::Environment(id.clone()));
        }
        for (id, version) in stored {
            let known = self.published.known(id).map(|known| (known.epoch, known.version));
            if known != Some(version) {
                self.reads.request(Subject::Environment(id.clone()));
            }
        }
    }

    fn report(&self, error: AppError, began: Instant) {
        if let AppError::Unavailable(error) = error {
            if self.app.db_health().note_failed_read(began) {
                let error = format!("{error:#}");
                tracing::error!(error, "the database does not respond; evaluation continues from memory");
            }
        } else {
            let error = format!("{:#}", anyhow::Error::new(error));
            tracing::error!(error, "cannot read changes from the database");
        }
    }
}
