//! The running service: the application with the task that follows the outbox.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::app::goal_queue::GoalQueue;
use crate::app::idempotency::Running;
use crate::app::keyring::Keyring;
use crate::app::snapshot::Snapshots;
use crate::clock::Clock;
use crate::http;
use crate::live::Follower;
use crate::random::Random;
use crate::store::Store;

/// What a service stands on.
pub struct Options {
    /// `sqlite:<file>` or `postgres://…`.
    pub database_url: String,
    /// Holds the master key; made when the database is empty.
    pub key_file: PathBuf,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
}

/// A service that is ready to answer.
pub struct Service {
    /// The application.
    pub app: Arc<App>,
    follower: JoinHandle<()>,
}

impl Service {
    /// Opens the database, reads every environment, and follows their changes from then on.
    ///
    /// # Errors
    /// Names what is missing or wrong, and the remedy.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        let Options { database_url, key_file, clock, random } = options;
        let store = Store::open(&database_url).await?;
        let keyring = Keyring::open(&store, &key_file, &*random, clock.now()).await?;
        let app = Arc::new(App {
            store,
            snapshots: Snapshots::default(),
            keyring,
            clock,
            random,
            goals: GoalQueue::default(),
            running: Running::default(),
        });
        let follower = Follower::start(Arc::clone(&app)).await?;
        Ok(Self { app, follower: tokio::spawn(follower.run()) })
    }

    /// The service's HTTP.
    pub fn router(&self, settings: http::Settings) -> Router {
        http::router(Arc::clone(&self.app), settings)
    }

    /// Ends following, and lets the database go.
    pub async fn stop(self) {
        self.follower.abort();
        // It has ended when this returns, whether it was cancelled or not.
        let _ = self.follower.await;
        self.app.store.close().await;
    }
}
