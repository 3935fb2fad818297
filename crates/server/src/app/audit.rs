//! The audit log of the caller's organisation.

use super::{Actor, App, Page, Paged, Result};
use crate::store::audit_log;
pub use crate::store::audit_log::{AuditEntry, AuditFilter};

/// The entries that the filter lets through, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, filter: &AuditFilter, page: &Page) -> Result<Paged<AuditEntry>> {
    let connection = &mut *app.store.read().await?;
    let found = audit_log::page(connection, &actor.organisation_id, filter, &page.after, page.fetch()).await?;
    Ok(page.of(found, |entry| entry.id.as_str()))
}
