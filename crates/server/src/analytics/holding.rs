//! An integration that this node delivers to: one annotation after the other, a sign of life with each.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use crate::analytics::destination::pass;
use crate::analytics::sender::{Sender, Stuck};
use crate::analytics::sending::Between;
use crate::app::Result;
use crate::app::delivery::test_events::Sent;
use crate::app::delivery::{leases, queue};
use crate::app::serving::drain::{self, Stage};
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::{Integration, Outcome};

/// How long to wait before what became of a delivery is kept again, when that has failed.
const KEEP_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// An integration that this node delivers to.
pub(super) struct Holding {
    pub(super) sender: Arc<Sender>,
    pub(super) stage: watch::Receiver<Stage>,
    pub(super) id: IntegrationId,
    /// Which holder this is.
    pub(super) fence: u64,
    /// What is being delivered, while it is.
    pub(super) earlier: Option<Delivery>,
}

impl Holding {
    /// Delivers until nothing waits, the node stops or somebody else has taken over.
    pub(super) async fn run(mut self) -> IntegrationId {
        // After each delivery its outcome was a sign of life.
        let mut renewed = false;
        while *self.stage.borrow() == Stage::Serving {
            match self.next(renewed).await {
                Ok(true) => renewed = true,
                Ok(false) => break,
                Err(error) => {
                    tracing::error!(%error, integration = %self.id, "an annotation is not delivered now; it goes on waiting");
                    break;
                }
            }
        }
        self.id
    }

    /// Delivers the first that waits; false when there is nothing more to do.
    async fn next(&mut self, renewed: bool) -> Result<bool> {
        let Some((integration, delivery)) = queue::next(&self.sender.app, &self.id).await? else { return Ok(false) };
        if !renewed && !self.renew().await? {
            return Ok(false);
        }
        self.earlier = Some(delivery.clone());
        let sender = Arc::clone(&self.sender);
        match sender.send(&integration, (&delivery.change, delivery.at), None, self).await? {
            Ok(Some(sent)) => self.settle(delivery, &sent).await,
            Ok(None) => Ok(false),
            Err(stuck) => {
                self.show(&integration, &stuck).await?;
                Ok(false)
            }
        }
    }

    async fn renew(&self) -> Result<bool> {
        leases::renew(&self.sender.app, &self.id, self.fence).await
    }

    /// Shows why nothing is sent.
    async fn show(&self, integration: &Integration, stuck: &Stuck) -> Result<()> {
        let detail = stuck.to_string();
        if integration.last.as_ref().is_some_and(|last| last.detail == detail) {
            return Ok(());
        }
        let outcome = Outcome { at: self.sender.app.now(), success: false, detail };
        queue::keep_outcome(&self.sender.app, &self.id, &outcome).await
    }

    /// Keeps what became of the delivery, for as long as it takes: forgotten, it would be sent again.
    async fn settle(&self, mut delivery: Delivery, sent: &Sent) -> Result<bool> {
        let app = &self.sender.app;
        delivery.state = if sent.success { DeliveryState::Delivered } else { DeliveryState::Failed };
        delivery.attempts.extend(sent.attempts.iter().cloned());
        delivery.settled_at = Some(app.now());
        let counter = if sent.success { &app.metrics.annotations_delivered } else { &app.metrics.annotations_failed };
        counter.inc();
        loop {
            match self.keep(&delivery).await {
                Ok(held) => return Ok(held),
                Err(error) if *self.stage.borrow() == Stage::Serving => {
                    tracing::error!(%error, integration = %self.id, "what became of an annotation is not kept yet");
                    tokio::time::sleep(KEEP_AGAIN_AFTER).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Keeps the delivery as it stands; false when somebody else has taken over.
    async fn keep(&self, delivery: &Delivery) -> Result<bool> {
        queue::keep(&self.sender.app, (&self.id, self.fence), delivery).await
    }
}

#[async_trait]
impl Between for Holding {
    async fn failed(&mut self, first: &Attempt) -> bool {
        let Some(mut delivery) = self.earlier.clone() else { return false };
        delivery.attempts.push(first.clone());
        self.keep(&delivery).await.unwrap_or_else(|error| {
            tracing::error!(%error, integration = %self.id, "an attempt was not kept; the annotation goes on waiting");
            false
        })
    }

    async fn wait(&mut self, pause: Duration) -> bool {
        let app = Arc::clone(&self.sender.app);
        tokio::select! {
            () = pass(&app, pause) => {}
            // The next start sends it again.
            () = drain::begun(&mut self.stage) => return false,
        }
        self.renew().await.unwrap_or(false)
    }
}
