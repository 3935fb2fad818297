//! The caller's organisation.

use serde_json::json;

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::changes::revision;
use crate::app::{Actor, App, IfMatch, Name, Operation, Result};
use crate::domain::ids::OrganisationId;
use crate::domain::organisation::Organisation;
use crate::domain::role::Role;
use crate::store::resources::organisations;

/// All organisations, oldest first. Only who works on the database itself sees more than one.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App) -> Result<Vec<(OrganisationId, Organisation)>> {
    Ok(organisations::list(&mut *app.store.read().await?).await?)
}

/// The operator of an organisation that does not exist yet.
pub fn founder(app: &App) -> Actor {
    Actor::operator(OrganisationId::new(&*app.random, app.now()))
}

/// Creates the organisation of its founder, without people.
///
/// # Errors
/// When the database fails.
pub async fn create(operation: &mut Operation<'_>, name: Name) -> Result<()> {
    let (name, now) = (String::from(name), operation.app.now());
    let id = &operation.actor.organisation_id;
    organisations::insert(operation.write.connection().await?, id, &name, now).await?;
    let (resource, after) = ("organisation".to_owned(), Some(json!({ "name": name })));
    record_audit(operation, AuditRecord { action: "organisation.create", resource, before: None, after }).await
}

/// The organisation.
///
/// # Errors
/// When the database fails.
pub async fn read(app: &App, actor: &Actor) -> Result<Organisation> {
    Ok(organisations::get(&mut *app.store.read().await?, &actor.organisation_id).await?)
}

/// Renames the organisation.
///
/// # Errors
/// [`crate::app::AppError::Forbidden`] for all but administrators, [`crate::app::AppError::Stale`] when it changed since.
pub async fn rename(operation: &mut Operation<'_>, name: Option<Name>, if_match: IfMatch) -> Result<Organisation> {
    operation.actor.require(Role::Administrator)?;
    let connection = operation.write.connection().await?;
    organisations::lock(connection, &operation.actor.organisation_id).await?;
    let before = organisations::get(connection, &operation.actor.organisation_id).await?;
    revision::check(if_match, before.revision)?;
    let Some(name) = name.map(String::from).filter(|name| *name != before.name) else {
        return Ok(before);
    };
    organisations::rename(connection, &operation.actor.organisation_id, &name).await?;
    let after = organisations::get(connection, &operation.actor.organisation_id).await?;
    let (old, new) = (json!({ "name": before.name }), json!({ "name": after.name }));
    let resource = "organisation".to_owned();
    record_audit(
        operation,
        AuditRecord { action: "organisation.update", resource, before: Some(old), after: Some(new) },
    )
    .await?;
    Ok(after)
}
