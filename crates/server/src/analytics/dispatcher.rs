//! The dispatcher: one task of each node that turns outbox entries into deliveries. The database lets only one run at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, watch};

use crate::app::App;
use crate::app::delivery::fan_out;
use crate::domain::environment::Wake;
use crate::node::drain::{self, Stage};

/// How often the outbox is checked, in case a notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long to wait for further changes after the first, so that they share a transaction.
const BATCH_WINDOW: Duration = Duration::from_millis(50);

/// Queues deliveries for changes.
pub(super) struct Dispatcher {
    app: Arc<App>,
    wakes: Receiver<Wake>,
    stage: watch::Receiver<Stage>,
    /// Notifies the worker of queued deliveries.
    queued: Arc<Notify>,
}

impl Dispatcher {
    pub(super) fn new(app: Arc<App>, queued: Arc<Notify>) -> Self {
        Self { wakes: app.wakes(), stage: app.node.drain.subscribe(), app, queued }
    }

    /// Runs until the node is about to exit. Failures are logged, and retried with the next poll.
    pub(super) async fn run(mut self) {
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        let mut failing = false;
        loop {
            tokio::select! {
                () = drain::ending(&mut self.stage) => return,
                woken = self.wakes.recv() => match woken {
                    Ok(_) | Err(RecvError::Lagged(_)) => tokio::time::sleep(BATCH_WINDOW).await,
                    Err(RecvError::Closed) => return,
                },
                _ = poll.tick() => {}
            }
            // One run handles all changes so far.
            self.wakes = self.wakes.resubscribe();
            match fan_out::dispatch(&self.app, &self.queued).await {
                Ok(()) => failing = false,
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::error!(%error, "cannot queue changes for integrations; they stay in the outbox");
                    }
                }
            }
        }
    }
}
