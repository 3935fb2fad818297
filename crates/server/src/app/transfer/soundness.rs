//! Whether the database is sound, and its versions and outbox agree.

use crate::app::{App, Result};
use crate::store::Soundness;

/// Looks at all of the database, as of one instant.
///
/// # Errors
/// When the database fails.
pub async fn check(app: &App) -> Result<Soundness> {
    let mut snapshot = app.store.snapshot().await?;
    Ok(crate::store::soundness::look(&mut snapshot).await?)
}
