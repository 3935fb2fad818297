//! Checks that the database is intact and that versions and outbox agree.

use crate::app::{App, Result};
use crate::store::Soundness;

/// Checks the whole database in one snapshot.
///
/// # Errors
/// When the database fails.
pub async fn check(app: &App) -> Result<Soundness> {
    let mut snapshot = app.store.long_snapshot().await?;
    Ok(crate::store::soundness::look(&mut snapshot).await?)
}
