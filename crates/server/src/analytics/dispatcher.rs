//! The dispatcher: one task of each node that fans the outbox out into deliveries. The database lets one do so at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::app::App;
use crate::app::delivery::fan_out;
use crate::domain::environment::Wake;

/// How often it looks, for changes that no wake-up told of.
const POLL: Duration = Duration::from_secs(1);

/// How long changes are gathered after the first: what comes together costs the database one commit.
const GATHER: Duration = Duration::from_millis(50);

/// Fans out.
pub(super) struct Dispatcher {
    app: Arc<App>,
    wakes: Receiver<Wake>,
    /// Tells those who deliver that something waits.
    queued: Arc<Notify>,
}

impl Dispatcher {
    pub(super) fn new(app: Arc<App>, queued: Arc<Notify>) -> Self {
        Self { wakes: app.wakes(), app, queued }
    }

    /// Goes on until the task is ended. A failure is told in the log, and the next look tries again.
    pub(super) async fn run(mut self) {
        let mut poll = tokio::time::interval(POLL);
        let mut failing = false;
        loop {
            tokio::select! {
                woken = self.wakes.recv() => match woken {
                    Ok(_) | Err(RecvError::Lagged(_)) => tokio::time::sleep(GATHER).await,
                    Err(RecvError::Closed) => return,
                },
                _ = poll.tick() => {}
            }
            // One look is enough for all that came meanwhile.
            self.wakes = self.wakes.resubscribe();
            match fan_out::dispatch(&self.app, &self.queued).await {
                Ok(()) => failing = false,
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::error!(%error, "changes cannot be queued for integrations; they stay in the outbox");
                    }
                }
            }
        }
    }
}
