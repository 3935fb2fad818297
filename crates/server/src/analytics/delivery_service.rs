//! The delivery service of a node: its background tasks, started and stopped together.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::analytics::connection::Connector;
use crate::analytics::dispatcher::Dispatcher;
use crate::analytics::integration_sender::IntegrationSender;
use crate::analytics::test_events;
use crate::analytics::worker::Worker;
use crate::app::App;
use crate::app::delivery::leases;
use crate::node::background_tasks::BackgroundTask;
use crate::node::supervision::supervise;
use crate::random;

/// How long stopping waits for attempts in progress. An attempt takes up to 10 s.
const STOP_TIMEOUT: Duration = Duration::from_secs(12);

/// How long releasing the leases may take.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

/// The tasks that deliver annotations.
pub struct DeliveryService {
    app: Arc<App>,
    node: String,
    dispatcher: JoinHandle<()>,
    tests: Option<JoinHandle<()>>,
    worker: JoinHandle<()>,
}

impl DeliveryService {
    /// Starts the tasks.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(app: Arc<App>) -> anyhow::Result<Self> {
        leases::release_abandoned(&app).await?;
        let node = format!("{:032x}", u128::from_be_bytes(random::bytes(&*app.random)));
        let connector = Connector::new(Arc::clone(&app.clock), Arc::clone(&app.network));
        let queued = Arc::new(Notify::new());
        let sender = Arc::new(IntegrationSender { app: Arc::clone(&app), connector });
        Ok(Self {
            dispatcher: supervise(&app.node, BackgroundTask::Dispatcher, {
                let (app, queued) = (Arc::clone(&app), Arc::clone(&queued));
                move || Dispatcher::new(Arc::clone(&app), Arc::clone(&queued)).run()
            }),
            tests: app.test_events.take().map(|events| {
                let (events, sender) = (Arc::new(Mutex::new(events)), Arc::clone(&sender));
                supervise(&app.node, BackgroundTask::TestEvents, move || {
                    test_events::run(Arc::clone(&sender), Arc::clone(&events))
                })
            }),
            worker: supervise(&app.node, BackgroundTask::Worker, {
                let node = node.clone();
                move || Worker::new(Arc::clone(&sender), node.clone(), Arc::clone(&queued)).run()
            }),
            app,
            node,
        })
    }

    /// Finishes attempts in progress. The rest is delivered after the next start, or by other nodes.
    pub async fn stop(self) {
        self.app.node.drain.end();
        if let Some(tests) = self.tests {
            tests.abort();
        }
        let deadline = Instant::now() + STOP_TIMEOUT;
        for mut task in [self.worker, self.dispatcher] {
            if timeout_at(deadline, &mut task).await.is_err() {
                task.abort();
            }
        }
        // Leases that can't be released expire.
        let _ = timeout(RELEASE_TIMEOUT, leases::release(&self.app, &self.node)).await;
    }
}
