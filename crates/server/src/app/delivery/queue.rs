//! The waiting deliveries of an integration, and their outcomes.

use crate::app::delivery::integrations::LOGGED;
use crate::app::time_limit::within;
use crate::app::{App, Result};
use crate::domain::delivery::{Delivery, DeliveryState};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::{Integration, Outcome};
use crate::store::delivery::{deliveries, integrations};

/// The delivery log is pruned after this many deliveries.
const PRUNE: u64 = 50;

/// The first waiting delivery with its integration. `None` if the integration is disabled or deleted.
///
/// # Errors
/// When the database fails.
pub async fn next(app: &App, id: &IntegrationId) -> Result<Option<(Integration, Delivery)>> {
    within(async {
        let mut connection = app.store.read().await?;
        let Some((integration, _)) = integrations::get(&mut connection, id).await? else { return Ok(None) };
        let next = deliveries::next(&mut connection, id).await?;
        Ok(next.filter(|_| integration.enabled).map(|delivery| (integration, delivery)))
    })
    .await
}

/// Saves the delivery if the lease is still held. False if another node has taken over.
///
/// # Errors
/// When the database fails.
pub async fn save(app: &App, id: &IntegrationId, fence: u64, delivery: &Delivery) -> Result<bool> {
    within(save_in_time(app, id, fence, delivery)).await
}

async fn save_in_time(app: &App, id: &IntegrationId, fence: u64, delivery: &Delivery) -> Result<bool> {
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
        if delivery.position.is_multiple_of(PRUNE) {
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
