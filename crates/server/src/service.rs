//! The running service: the application and its background tasks.

use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use futures_util::future::join_all;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::analytics::DeliveryService;
use crate::app::App;
use crate::app::changes::running_requests::RunningRequests;
use crate::app::changes::schedule::scheduler;
use crate::app::compilers::Compilers;
use crate::app::delivery::outbound::Outbound;
use crate::app::delivery::test_events::TestEvents;
use crate::app::experiments::guard_checks::GuardChecks;
use crate::app::experiments::guards;
use crate::app::retention::sweeper;
use crate::app::secrets::keyring::Keyring;
use crate::app::secrets::rotation;
use crate::app::serving::backend::Database;
use crate::app::serving::goal_keys::GoalKeys;
use crate::app::serving::key_use_writer;
use crate::app::serving::key_uses::KeyUses;
use crate::app::set_aside::SetAside;
use crate::clock::Clock;
use crate::domain::retention::Retention;
use crate::http;
use crate::live::{Follower, listener};
use crate::metrics::Metrics;
use crate::network::Network;
use crate::node::Node;
use crate::node::background_tasks::BackgroundTask;
use crate::node::supervision::supervise;
use crate::random::Random;
use crate::serving::goal_queue::GoalQueue;
use crate::serving::{Serving, evaluations};
use crate::store::{DatabaseConnections, Schema, Store};

/// How long the last reads and closing the database may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// What a service needs to start.
pub struct Options {
    /// `sqlite:<file>` or `postgres://…`.
    pub database_url: String,
    /// The file with the master key; created when the database is empty.
    pub key_file: PathBuf,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of random bytes.
    pub random: Arc<dyn Random>,
    /// The network to destinations.
    pub network: Arc<dyn Network>,
    /// Where annotations are sent.
    pub outbound: Outbound,
    /// For how long what ends is kept.
    pub retention: Retention,
}

/// A service that is ready for requests.
pub struct Service {
    /// The application.
    pub app: Arc<App>,
    follower: JoinHandle<()>,
    stop_follower: watch::Sender<()>,
    listener: JoinHandle<()>,
    delivery: Option<DeliveryService>,
    /// The tasks that only `serve` runs.
    tasks: Vec<JoinHandle<()>>,
}

impl Service {
    /// Opens the database, reads every environment, and starts to follow their changes.
    ///
    /// # Errors
    /// Names the problem and the remedy.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        Self::start_with(options, DatabaseConnections::default()).await
    }

    /// The same, with these numbers of connections to the database.
    ///
    /// # Errors
    /// As `start`.
    pub async fn start_with(options: Options, connections: DatabaseConnections) -> anyhow::Result<Self> {
        Self::start_for(options, Schema::Made, connections).await
    }

    /// The same, with what may be done with the schema of the database.
    ///
    /// # Errors
    /// As `start`.
    pub async fn start_for(options: Options, schema: Schema, connections: DatabaseConnections) -> anyhow::Result<Self> {
        let Options { database_url, key_file, clock, random, network, outbound, retention } = options;
        let store = Store::open_for(&database_url, schema, connections).await?;
        let keyring = Arc::new(Keyring::open(&store, &key_file, &*random, clock.now()).await?);
        let (node, metrics) = (Arc::<Node>::default(), Arc::<Metrics>::default());
        let app = Arc::new_cyclic(|app| App {
            store,
            serving: Arc::new(Serving::new(
                Box::new(Database::new(Weak::clone(app), Arc::clone(&keyring))),
                Arc::clone(&node),
                Arc::clone(&clock),
                Arc::clone(&random),
                Arc::clone(&metrics),
            )),
            node,
            set_aside: SetAside::default(),
            keyring,
            clock,
            random,
            network,
            metrics,
            goals: GoalQueue::default(),
            guard_checks: GuardChecks::default(),
            goal_keys: GoalKeys::default(),
            key_uses: KeyUses::default(),
            compilers: Compilers::default(),
            running_requests: RunningRequests::default(),
            comparison_cache: Arc::default(),
            outbound,
            test_events: TestEvents::default(),
            retention,
        });
        Follower::new(&app).read_all().await?;
        let (stop_follower, stopped) = watch::channel(());
        let followed = Arc::clone(&app);
        let follower =
            supervise(&app.node, BackgroundTask::Follower, move || Follower::new(&followed).run(stopped.clone()));
        let listened = Arc::clone(&app);
        let listener = supervise(&app.node, BackgroundTask::Listener, move || listener::run(Arc::clone(&listened)));
        Ok(Self { app, follower, stop_follower, listener, delivery: None, tasks: Vec::new() })
    }

    /// Starts to deliver annotations. Only `serve` does this, not the commands that run beside a server.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start_delivery(&mut self) -> anyhow::Result<()> {
        self.delivery = Some(DeliveryService::start(Arc::clone(&self.app)).await?);
        Ok(())
    }

    /// Starts to remove what has been kept long enough. Only `serve` does this.
    pub fn start_sweeper(&mut self) {
        let app = Arc::clone(&self.app);
        let run = move || sweeper::run(Arc::clone(&app));
        self.tasks.push(supervise(&self.app.node, BackgroundTask::Sweeper, run));
    }

    /// Starts to replace data keys that are old. Only `serve` does this.
    pub fn start_key_rotation(&mut self) {
        let app = Arc::clone(&self.app);
        let run = move || rotation::run(Arc::clone(&app));
        self.tasks.push(supervise(&self.app.node, BackgroundTask::KeyRotation, run));
    }

    /// Starts to make scheduled changes. Only `serve` does this.
    pub fn start_scheduler(&mut self) {
        let app = Arc::clone(&self.app);
        let run = move || scheduler::run(Arc::clone(&app));
        self.tasks.push(supervise(&self.app.node, BackgroundTask::Scheduler, run));
    }

    /// Starts to check the guards of experiments. Only `serve` does this.
    pub fn start_guards(&mut self) {
        let app = Arc::clone(&self.app);
        let run = move || guards::run(Arc::clone(&app));
        self.tasks.push(supervise(&self.app.node, BackgroundTask::Guards, run));
    }

    /// The routes of the service.
    pub fn router(&self, settings: http::Settings) -> Router {
        http::router(Arc::clone(&self.app), settings)
    }

    /// Only the route of the metrics.
    pub fn metrics_router(&self) -> Router {
        http::metrics_router(Arc::clone(&self.app))
    }

    /// Stops the background tasks and closes the database.
    pub async fn stop(self) {
        self.stop_within(CLOSE_TIMEOUT).await;
    }

    /// The same, but closing the database may take this long.
    pub async fn stop_within(self, limit: Duration) {
        self.app.node.drain.end();
        if let Some(delivery) = self.delivery {
            delivery.stop().await;
        }
        // A database that does not respond keeps nothing.
        let _ = timeout(CLOSE_TIMEOUT, evaluations::keep(&self.app.serving)).await;
        let mut tasks = self.tasks;
        tasks.push(self.listener);
        for task in &tasks {
            task.abort();
        }
        drop(self.stop_follower);
        tasks.push(self.follower);
        let close = async {
            // An aborted task keeps its connection until it has ended.
            join_all(tasks).await;
            key_use_writer::write_rest(&self.app).await;
            self.app.store.close().await;
        };
        // A database that does not respond can't be closed cleanly.
        let _ = timeout(limit, close).await;
    }
}
