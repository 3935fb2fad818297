//! Checks that the database is intact, that versions and outbox agree, and that what is served and delivered can be read.

use crate::app::{App, Result};
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Soundness;
use crate::store::changes::{approvals, outbox};
use crate::store::delivery::{deliveries, integrations};

/// Checks the whole database in one snapshot.
///
/// # Errors
/// When the database fails.
pub async fn check(app: &App) -> Result<Soundness> {
    let mut snapshot = app.store.long_snapshot().await?;
    let mut found = crate::store::soundness::look(&mut snapshot).await?;
    // The service has read all environments at its start.
    let mut unreadable = Vec::from_iter(app.set_aside.served());
    unreadable.extend(outbox::unreadable(&mut snapshot).await?);
    unreadable.extend(approvals::unreadable(&mut snapshot).await?);
    unreadable.extend(integrations::unreadable(&mut snapshot).await?);
    unreadable.extend(deliveries::unreadable(&mut snapshot).await?);
    for UnreadableRow { table, key, problem } in unreadable {
        found.violations.push(format!("The row {key} of the table '{table}' cannot be read: {problem}."));
    }
    Ok(found)
}
