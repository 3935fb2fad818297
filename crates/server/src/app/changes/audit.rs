//! The audit log of the caller's organisation: what a write leaves in it, and its list.

use serde_json::Value;

use crate::app::{Actor, App, Operation, Page, Paged, Result};
use crate::domain::audit::{AuditEntry, AuditFilter, NewAuditEntry};
use crate::domain::ids::AuditId;
use crate::store::changes::audit_log;

/// The entries that the filter lets through, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, filter: &AuditFilter, page: &Page) -> Result<Paged<AuditEntry>> {
    let connection = &mut *app.store.read().await?;
    let entries = audit_log::page(connection, &actor.organisation_id, filter, &page.after, page.fetch()).await?;
    Ok(page.paginate(entries, |entry| entry.id.as_str()))
}

/// The audit record of a write.
pub struct AuditRecord {
    /// What was done, e.g. `client-key.create`.
    pub action: &'static str,
    /// To what: its path below `/api/v1`.
    pub resource: String,
    /// As it was; none when it was created.
    pub before: Option<Value>,
    /// As it is; none when it was deleted.
    pub after: Option<Value>,
}

/// A resource before and after a write.
pub struct BeforeAfter<'a, T> {
    /// None when it was created.
    pub before: Option<&'a T>,
    /// None when it was deleted.
    pub after: Option<&'a T>,
}

impl<'a, T> BeforeAfter<'a, T> {
    /// A new resource.
    pub fn created(after: &'a T) -> Self {
        Self { before: None, after: Some(after) }
    }

    /// A changed resource.
    pub fn updated(before: &'a T, after: &'a T) -> Self {
        Self { before: Some(before), after: Some(after) }
    }

    /// A deleted resource.
    pub fn deleted(before: &'a T) -> Self {
        Self { before: Some(before), after: None }
    }
}

/// Appends an audit record, in the transaction of the write.
///
/// # Errors
/// When the database fails.
pub async fn record_audit(operation: &mut Operation<'_>, record: AuditRecord) -> Result<()> {
    let at = operation.app.now();
    let entry = NewAuditEntry {
        id: AuditId::new(&*operation.app.random, at),
        organisation_id: &operation.actor.organisation_id,
        at,
        user_id: &operation.actor.user_id,
        user_name: &operation.actor.name,
        token: operation.actor.token.as_ref(),
        action: record.action,
        resource: &record.resource,
        before: record.before.as_ref(),
        after: record.after.as_ref(),
    };
    Ok(audit_log::append(operation.write.connection().await?, &entry).await?)
}
