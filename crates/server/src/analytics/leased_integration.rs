//! An integration whose lease this node holds: delivers to it one by one, and renews the lease.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use crate::analytics::integration_sender::{IntegrationSender, Undeliverable};
use crate::analytics::message::{Link, Message};
use crate::analytics::retry::AttemptHooks;
use crate::app::Result;
use crate::app::delivery::leases;
use crate::app::delivery::queue::{self, Next, OwnLease};
use crate::app::delivery::test_events::Sent;
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::{Integration, Outcome};
use crate::node::drain::{self, Stage};

/// How long to wait before trying again to record a result.
const RECORD_RETRY_DELAY: Duration = Duration::from_secs(1);

/// An integration whose lease this node holds.
pub(super) struct LeasedIntegration {
    pub(super) sender: Arc<IntegrationSender>,
    pub(super) stage: watch::Receiver<Stage>,
    pub(super) id: IntegrationId,
    /// The fence of the lease, which a new holder increases.
    pub(super) fence: u64,
    /// How many deliveries were settled under the lease.
    pub(super) settled: u64,
    /// The delivery in progress.
    pub(super) in_progress: Option<Delivery>,
}

/// Why an integration's task has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing waits.
    Empty,
    /// Something waits and cannot be delivered now.
    Blocked,
}

impl LeasedIntegration {
    /// Delivers until nothing waits, nothing can be delivered now, the node stops, or the lease is lost.
    pub(super) async fn run(mut self) -> Ended {
        // Recording a result renews the lease too.
        let mut renewed = false;
        while *self.stage.borrow() == Stage::Serving {
            match self.deliver_next(renewed).await {
                Ok(None) => renewed = true,
                Ok(Some(ended)) => return ended,
                Err(error) => {
                    tracing::error!(%error, integration = %self.id, "cannot deliver now; the delivery stays queued");
                    break;
                }
            }
        }
        Ended::Blocked
    }

    /// Sends the first waiting delivery. Says why if there is nothing more to do.
    async fn deliver_next(&mut self, renewed: bool) -> Result<Option<Ended>> {
        let (integration, delivery) = match queue::next(&self.sender.app, &self.id).await? {
            Next::Delivery(next) => *next,
            Next::Nothing => return Ok(Some(Ended::Empty)),
            Next::Unreadable => return Ok(Some(Ended::Blocked)),
        };
        if !renewed && !self.renew().await? {
            return Ok(Some(Ended::Blocked));
        }
        self.in_progress = Some(delivery.clone());
        let sender = Arc::clone(&self.sender);
        let id = delivery.message_id();
        let message = Message { id: &id, announcement: &delivery.announcement, at: delivery.at, link: Link::Subject };
        let has_lease = match sender.send(&integration, message, None, self).await? {
            Ok(Some(sent)) => self.record_result(delivery, &sent).await?,
            Ok(None) => false,
            Err(undeliverable) => {
                self.record_undeliverable(&integration, &undeliverable).await?;
                false
            }
        };
        Ok((!has_lease).then_some(Ended::Blocked))
    }

    async fn renew(&self) -> Result<bool> {
        leases::renew(&self.sender.app, &self.id, self.fence).await
    }

    /// Records why nothing can be sent, unless this is already recorded.
    async fn record_undeliverable(&self, integration: &Integration, undeliverable: &Undeliverable) -> Result<()> {
        let detail = undeliverable.to_string();
        if integration.last.as_ref().is_some_and(|last| last.detail == detail) {
            return Ok(());
        }
        let outcome = Outcome { at: self.sender.app.now(), success: false, detail };
        queue::save_outcome(&self.sender.app, &self.id, &outcome).await
    }

    /// Records the result of a delivery, and retries until this succeeds: otherwise it would be sent again.
    async fn record_result(&mut self, mut delivery: Delivery, sent: &Sent) -> Result<bool> {
        let app = Arc::clone(&self.sender.app);
        delivery.state = if sent.success { DeliveryState::Delivered } else { DeliveryState::Failed };
        delivery.attempts.extend(sent.attempts.iter().cloned());
        delivery.settled_at = Some(app.now());
        let counter = if sent.success {
            &app.metrics.database.annotations_delivered
        } else {
            &app.metrics.database.annotations_failed
        };
        counter.inc();
        loop {
            match self.save(&delivery).await {
                Ok(has_lease) => {
                    self.settled += 1;
                    return Ok(has_lease);
                }
                Err(error) if *self.stage.borrow() == Stage::Serving => {
                    tracing::error!(%error, integration = %self.id, "cannot record a delivery result yet; retrying");
                    tokio::time::sleep(RECORD_RETRY_DELAY).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Saves the delivery. Returns false when the lease is lost.
    async fn save(&self, delivery: &Delivery) -> Result<bool> {
        let lease = OwnLease { id: &self.id, fence: self.fence, settled: self.settled };
        queue::save(&self.sender.app, lease, delivery).await
    }
}

#[async_trait]
impl AttemptHooks for LeasedIntegration {
    async fn attempt_failed(&mut self, attempt: &Attempt) -> bool {
        let Some(mut delivery) = self.in_progress.clone() else { return false };
        delivery.attempts.push(attempt.clone());
        self.save(&delivery).await.unwrap_or_else(|error| {
            tracing::error!(%error, integration = %self.id, "cannot record a failed attempt; the delivery stays queued");
            false
        })
    }

    async fn wait_for_retry(&mut self, delay: Duration) -> bool {
        let app = Arc::clone(&self.sender.app);
        tokio::select! {
            () = app.clock.sleep(delay) => {}
            // It is sent again after the next start.
            () = drain::begun(&mut self.stage) => return false,
        }
        self.renew().await.unwrap_or(false)
    }
}
