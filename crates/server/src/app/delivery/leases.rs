//! Which node delivers to an integration: the lease that its holder keeps with a sign of life.

use crate::app::{App, Result};
use crate::domain::ids::IntegrationId;
use crate::domain::integration::Lease;
use crate::store::delivery::integrations;

/// Lets go of every lease, where nobody else delivers from this database: whoever held one has ended.
///
/// # Errors
/// When the database fails.
pub async fn release_ended(app: &App) -> Result<()> {
    if app.store.has_several_nodes() {
        return Ok(());
    }
    let mut write = app.begin().await?;
    integrations::release(write.connection().await?, None).await?;
    Ok(write.commit().await.map(drop)?)
}

/// Lets go of every integration that the node delivers to.
///
/// # Errors
/// When the database fails.
pub async fn release(app: &App, node: &str) -> Result<()> {
    let mut write = app.begin().await?;
    integrations::release(write.connection().await?, Some(node)).await?;
    Ok(write.commit().await.map(drop)?)
}

/// The enabled integrations for which something waits, with who delivers to them.
///
/// # Errors
/// When the database fails.
pub async fn with_work(app: &App) -> Result<Vec<(IntegrationId, Lease)>> {
    Ok(integrations::with_work(&mut *app.store.read().await?).await?)
}

/// Takes over from the holder that was seen, unless it has given a sign of life since. Returns the new fence.
///
/// # Errors
/// When the database fails.
pub async fn take_over(app: &App, id: &IntegrationId, node: &str, seen: &Lease) -> Result<Option<u64>> {
    let mut write = app.begin().await?;
    let fence = integrations::take_over(write.connection().await?, id, node, seen).await?;
    write.commit().await?;
    Ok(fence)
}

/// Gives a sign of life; false when somebody else has taken over, or the integration is gone.
///
/// # Errors
/// When the database fails.
pub async fn renew(app: &App, id: &IntegrationId, fence: u64) -> Result<bool> {
    let mut write = app.begin().await?;
    let renewed = integrations::renew(write.connection().await?, id, fence).await?;
    write.commit().await?;
    Ok(renewed)
}
