//! The deliveries that wait for an integration: the first of them, and what became of it.

use crate::app::delivery::integrations::LOGGED;
use crate::app::{App, Result};
use crate::domain::delivery::{Delivery, DeliveryState};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::{Integration, Outcome};
use crate::store::delivery::{deliveries, integrations};

/// The log is cut each time that this many deliveries were added.
const PRUNE: u64 = 50;

/// The first delivery that waits, with its integration; none when that is disabled or gone.
///
/// # Errors
/// When the database fails.
pub async fn next(app: &App, id: &IntegrationId) -> Result<Option<(Integration, Delivery)>> {
    let mut connection = app.store.read().await?;
    let Some((integration, _)) = integrations::get(&mut connection, id).await? else { return Ok(None) };
    let next = deliveries::next(&mut connection, id).await?;
    Ok(next.filter(|_| integration.enabled).map(|delivery| (integration, delivery)))
}

/// Keeps the delivery as it stands, for the holder of the lease; false when somebody else has taken over.
///
/// # Errors
/// When the database fails.
pub async fn keep(app: &App, (id, fence): (&IntegrationId, u64), delivery: &Delivery) -> Result<bool> {
    let mut write = app.begin().await?;
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

/// Keeps what became of the newest delivery, or why there is none.
///
/// # Errors
/// When the database fails.
pub async fn keep_outcome(app: &App, id: &IntegrationId, outcome: &Outcome) -> Result<()> {
    let mut write = app.begin().await?;
    integrations::set_last(write.connection().await?, id, outcome).await?;
    Ok(write.commit().await.map(drop)?)
}
