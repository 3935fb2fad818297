//! The caller's organisation.

use serde_json::json;

use crate::app::changes::audit::{Trace, record};
use crate::app::changes::revision;
use crate::app::{Actor, App, Name, Result, Write};
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

/// Makes an organisation, which nobody belongs to yet.
///
/// # Errors
/// When the database fails.
pub async fn create(app: &App, write: &mut Write<'_>, name: Name) -> Result<OrganisationId> {
    let (name, now) = (String::from(name), app.now());
    let id = OrganisationId::new(&*app.random, now);
    organisations::insert(write.connection().await?, &id, &name, now).await?;
    let (actor, after) = (Actor::operator(id.clone()), json!({ "name": name }));
    let resource = "organisation".to_owned();
    record(app, &actor, write, Trace { action: "organisation.create", resource, before: None, after: Some(after) })
        .await?;
    Ok(id)
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
pub async fn rename(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    (name, seen): (Option<Name>, Option<u64>),
) -> Result<Organisation> {
    actor.require(Role::Administrator)?;
    let connection = write.connection().await?;
    organisations::lock(connection, &actor.organisation_id).await?;
    let before = organisations::get(connection, &actor.organisation_id).await?;
    revision::check(seen, before.revision)?;
    let Some(name) = name.map(String::from).filter(|name| *name != before.name) else {
        return Ok(before);
    };
    organisations::rename(connection, &actor.organisation_id, &name).await?;
    let after = organisations::get(connection, &actor.organisation_id).await?;
    let (old, new) = (json!({ "name": before.name }), json!({ "name": after.name }));
    let resource = "organisation".to_owned();
    record(app, actor, write, Trace { action: "organisation.update", resource, before: Some(old), after: Some(new) })
        .await?;
    Ok(after)
}
