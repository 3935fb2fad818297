//! Test events on their way to those who deliver, who are not called from here: they take them, and answer.

use std::sync::OnceLock;

use anyhow::anyhow;
use tokio::sync::{mpsc, oneshot};

use crate::app::{AppError, Result};
use crate::domain::changes::flag_change::FeatureChange;
use crate::domain::delivery::Attempt;
use crate::domain::integration::Integration;

/// How many may wait to be taken: each is taken at once.
const WAITING: usize = 64;

/// A synthetic flag change that is to be sent.
pub struct TestEvent {
    /// Where to.
    pub integration: Integration,
    /// The change.
    pub change: FeatureChange,
    /// Receives the result.
    pub sent: oneshot::Sender<Sent>,
}

/// The result of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Whether the destination took it.
    pub success: bool,
    /// Each attempt, the last one deciding.
    pub attempts: Vec<Attempt>,
}

/// The way to those who deliver.
#[derive(Default)]
pub struct TestEvents(OnceLock<mpsc::Sender<TestEvent>>);

impl TestEvents {
    /// Takes all test events from now on; none when somebody does already.
    pub fn take(&self) -> Option<mpsc::Receiver<TestEvent>> {
        let (sender, receiver) = mpsc::channel(WAITING);
        self.0.set(sender).ok().map(|()| receiver)
    }

    /// Sends a test event and waits for the result.
    pub(super) async fn send(&self, integration: Integration, change: FeatureChange) -> Result<Sent> {
        let nobody = || AppError::Unavailable(anyhow!("nobody delivers in this process"));
        let (sent, outcome) = oneshot::channel();
        let way = self.0.get().ok_or_else(nobody)?;
        way.send(TestEvent { integration, change, sent }).await.map_err(|_| nobody())?;
        outcome.await.map_err(|_| nobody())
    }
}
