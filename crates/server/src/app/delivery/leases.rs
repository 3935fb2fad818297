//! Leases: which node delivers to an integration. The holder renews its lease with heartbeats.

use crate::app::time_limit::within;
use crate::app::{App, Result};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::Lease;
use crate::store::delivery::integrations;

/// Releases every lease if this is the only node: the previous holder has ended.
///
/// # Errors
/// When the database fails.
pub async fn release_abandoned(app: &App) -> Result<()> {
    if app.store.has_several_nodes() {
        return Ok(());
    }
    let mut write = app.begin_bulk().await?;
    integrations::release(write.connection().await?, None).await?;
    Ok(write.commit().await.map(drop)?)
}

/// Releases the leases of the node.
///
/// # Errors
/// When the database fails.
pub async fn release(app: &App, node: &str) -> Result<()> {
    let mut write = app.begin_bulk().await?;
    integrations::release(write.connection().await?, Some(node)).await?;
    Ok(write.commit().await.map(drop)?)
}

/// The enabled integrations with waiting deliveries, and their leases.
///
/// # Errors
/// When the database fails.
pub async fn with_work(app: &App) -> Result<Vec<(IntegrationId, Lease)>> {
    let found = within(async { Ok(integrations::with_work(&mut *app.store.read().await?).await?) }).await?;
    found.unreadable.into_iter().for_each(|row| app.set_aside.note_undelivered(row));
    Ok(found.rows)
}

/// Takes over the lease, unless its holder has sent a heartbeat since it was seen. Returns the new fence.
///
/// # Errors
/// When the database fails.
pub async fn take_over(app: &App, id: &IntegrationId, node: &str, seen: &Lease) -> Result<Option<u64>> {
    within(async {
        let mut write = app.begin_bulk().await?;
        let fence = integrations::take_over(write.connection().await?, id, node, seen).await?;
        write.commit().await?;
        Ok(fence)
    })
    .await
}

/// Sends a heartbeat. False if another node has taken over or the integration was deleted.
///
/// # Errors
/// When the database fails.
pub async fn renew(app: &App, id: &IntegrationId, fence: u64) -> Result<bool> {
    within(async {
        let mut write = app.begin_bulk().await?;
        let renewed = integrations::renew(write.connection().await?, id, fence).await?;
        write.commit().await?;
        Ok(renewed)
    })
    .await
}
