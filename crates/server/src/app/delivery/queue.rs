//! The waiting deliveries of an integration, and their outcomes.

use crate::app::delivery::integrations::LOGGED;
use crate::app::time_limit::within;
use crate::app::{App, Result};
use crate::domain::delivery::{Attempt, Delivery, DeliveryState};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::{Integration, Outcome};
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::delivery::{deliveries, integrations};

/// Under a lease, the delivery log is pruned with the first delivery that is settled, and again after this many. Positions do not tell: the
/// organisation's integrations share them, so that one may have odd ones alone.
const PRUNE: u64 = 50;

/// The outcome of a delivery that cannot be read.
const UNREADABLE: &str = "A stored annotation cannot be read and was not sent. The log of the server has its key.";

/// What an integration is to be sent next.
pub enum Next {
    /// The first waiting delivery, and the integration.
    Delivery(Box<(Integration, Delivery)>),
    /// Nothing waits, or the integration is disabled or deleted.
    Nothing,
    /// The integration cannot be read. Its deliveries wait.
    Unreadable,
}

/// What the integration is to be sent next. Deliveries that cannot be read have failed: they do not hold up the others.
///
/// # Errors
/// When the database fails.
pub async fn next(app: &App, id: &IntegrationId) -> Result<Next> {
    within(async {
        loop {
            let mut connection = app.store.read().await?;
            let integration = match integrations::get(&mut connection, id).await? {
                Some(Ok(integration)) if integration.enabled => integration,
                Some(Ok(_)) | None => return Ok(Next::Nothing),
                Some(Err(row)) => {
                    app.set_aside.note_undelivered(row);
                    return Ok(Next::Unreadable);
                }
            };
            let next = deliveries::next(&mut connection, id).await?;
            drop(connection);
            match next {
                Some(deliveries::Next::Delivery(delivery)) => {
                    return Ok(Next::Delivery(Box::new((integration, *delivery))));
                }
                Some(deliveries::Next::Unreadable { position, row }) => fail_unreadable(app, id, position, row).await?,
                None => return Ok(Next::Nothing),
            }
        }
    })
    .await
}

async fn fail_unreadable(app: &App, id: &IntegrationId, position: u64, row: UnreadableRow) -> Result<()> {
    let attempt = Attempt { at: app.now(), status: None, detail: UNREADABLE.to_owned() };
    let mut write = app.begin_bulk().await?;
    let connection = write.connection().await?;
    deliveries::fail_unreadable(connection, id, position, &attempt).await?;
    deliveries::prune(connection, id, LOGGED).await?;
    let outcome = Outcome { at: attempt.at, success: false, detail: attempt.detail };
    integrations::set_last(connection, id, &outcome).await?;
    write.commit().await?;
    app.metrics.database.annotations_failed.inc();
    app.set_aside.note_undelivered(row);
    Ok(())
}

/// The lease of an integration that a node holds.
pub struct OwnLease<'a> {
    /// The integration.
    pub id: &'a IntegrationId,
    /// The fence, which a new holder increases.
    pub fence: u64,
    /// How many deliveries were settled under it.
    pub settled: u64,
}

/// Saves the delivery if the lease is still held. False if another node has taken over.
///
/// # Errors
/// When the database fails.
pub async fn save(app: &App, lease: OwnLease<'_>, delivery: &Delivery) -> Result<bool> {
    within(save_in_time(app, lease, delivery)).await
}

async fn save_in_time(app: &App, OwnLease { id, fence, settled }: OwnLease<'_>, delivery: &Delivery) -> Result<bool> {
    let mut write = app.begin_bulk().await?;
    let connection = write.connection().await?;
    if !integrations::renew(connection, id, fence).await? {
        return Ok(false);
    }
    deliveries::update(connection, delivery).await?;
    if let (Some(at), Some(last)) = (delivery.settled_at, delivery.attempts.last()) {
        let success = delivery.state == DeliveryState::Delivered;
        let outcome = Outcome { at, success, detail: last.detail.clone() };
        integrations::set_last(connection, id, &outcome).await?;
        if settled.is_multiple_of(PRUNE) {
            deliveries::prune(connection, id, LOGGED).await?;
        }
    }
    write.commit().await?;
    Ok(true)
}

/// Saves the outcome of the last delivery, or why nothing can be sent.
///
/// # Errors
/// When the database fails.
pub async fn save_outcome(app: &App, id: &IntegrationId, outcome: &Outcome) -> Result<()> {
    within(async {
        let mut write = app.begin_bulk().await?;
        integrations::set_last(write.connection().await?, id, outcome).await?;
        Ok(write.commit().await.map(drop)?)
    })
    .await
}
