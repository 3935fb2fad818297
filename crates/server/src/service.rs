//! The running service: the application with the task that follows the outbox.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::task::JoinHandle;

use crate::analytics::Delivering;
use crate::app::App;
use crate::app::changes::running::Running;
use crate::app::delivery::outbound::Outbound;
use crate::app::delivery::test_events::TestEvents;
use crate::app::secrets::keyring::Keyring;
use crate::app::serving::drain::Drain;
use crate::app::serving::goal_queue::GoalQueue;
use crate::app::serving::snapshot::Snapshots;
use crate::clock::Clock;
use crate::http;
use crate::live::{Follower, listener};
use crate::metrics::Metrics;
use crate::random::Random;
use crate::store::Store;

/// How long the database may take to be let go.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);

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
    /// Where annotations go to.
    pub outbound: Outbound,
}

/// A service that is ready to answer.
pub struct Service {
    /// The application.
    pub app: Arc<App>,
    tasks: [JoinHandle<()>; 2],
    delivering: Option<Delivering>,
}

impl Service {
    /// Opens the database, reads every environment, and follows their changes from then on.
    ///
    /// # Errors
    /// Names what is missing or wrong, and the remedy.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        let Options { database_url, key_file, clock, random, outbound } = options;
        let store = Store::open(&database_url).await?;
        let keyring = Keyring::open(&store, &key_file, &*random, clock.now()).await?;
        let app = Arc::new(App {
            store,
            drain: Drain::default(),
            snapshots: Snapshots::default(),
            keyring,
            clock,
            random,
            metrics: Metrics::default(),
            goals: GoalQueue::default(),
            running: Running::default(),
            known: Arc::default(),
            outbound,
            test_events: TestEvents::default(),
        });
        let follower = Follower::start(Arc::clone(&app)).await?;
        let listener = listener::run(Arc::clone(&app));
        Ok(Self { app, tasks: [tokio::spawn(follower.run()), tokio::spawn(listener)], delivering: None })
    }

    /// Delivers annotations from now on. Commands that work beside a server leave that to the server.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn deliver(&mut self) -> anyhow::Result<()> {
        self.delivering = Some(Delivering::start(Arc::clone(&self.app)).await?);
        Ok(())
    }

    /// The service's HTTP.
    pub fn router(&self, settings: http::Settings) -> Router {
        http::router(Arc::clone(&self.app), settings)
    }

    /// What it counts, alone.
    pub fn metrics_router(&self) -> Router {
        http::metrics_router(Arc::clone(&self.app))
    }

    /// Ends delivering and following, and lets the database go.
    pub async fn stop(self) {
        if let Some(delivering) = self.delivering {
            delivering.stop().await;
        }
        for task in self.tasks {
            task.abort();
            // It has ended when this returns, whether it was cancelled or not.
            let _ = task.await;
        }
        // A database that does not answer cannot be let go in good order.
        let _ = tokio::time::timeout(CLOSE_WITHIN, self.app.store.close()).await;
    }
}
