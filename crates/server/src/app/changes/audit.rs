//! The audit log of the caller's organisation: what a write leaves in it, and its list.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::app::{Actor, App, Need, Operation, Page, Paged, Result};
use crate::domain::access_token::scope::Scope;
use crate::domain::audit::{AuditEntry, AuditFilter, NewAuditEntry, collect_environments, hides_environment};
use crate::domain::ids::AuditId;
use crate::store::changes::audit_log;

/// The entries that the filter and the scope of the token let through, newest first. A scope may leave few of a page.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, mut filter: AuditFilter, page: &Page) -> Result<Paged<AuditEntry>> {
    // The database then reads no other project, whose entries would be left out of the page.
    let only = actor.scope.as_ref().and_then(Scope::only_project);
    filter.resource = filter.resource.or_else(|| only.map(|project| format!("projects/{project}")));
    let connection = &mut *app.store.read().await?;
    let entries = audit_log::page(connection, &actor.organisation_id, &filter, &page.after, page.fetch()).await?;
    let mut paged = page.paginate(entries, |entry| entry.id.as_str());
    paged.items.retain(|entry| !actor.is_limited() || is_in_scope(actor, entry));
    Ok(paged)
}

/// Whether the scope includes all that an entry shows: its project, and the environments in its path and in its states.
fn is_in_scope(actor: &Actor, entry: &AuditEntry) -> bool {
    let mut path = entry.resource.split('/');
    let (Some("projects"), Some(project)) = (path.next(), path.next()) else { return false };
    let mut environments = BTreeSet::new();
    if path.next() == Some("environments") {
        environments.extend(path.next());
    }
    for state in [&entry.before, &entry.after].into_iter().flatten() {
        collect_environments(state, &mut environments);
        if hides_environment(state) && actor.scope.as_ref().is_some_and(|scope| !scope.has_project(project)) {
            return false;
        }
    }
    let mut environments = environments.into_iter();
    actor.has_in_scope(Need::ReadProject(project))
        && environments.all(|environment| actor.has_in_scope(Need::ReadEnvironment(project, environment)))
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
