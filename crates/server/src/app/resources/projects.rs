//! Projects of the caller's organisation.

use std::collections::BTreeSet;

use flagservice_core::Key;
use serde_json::json;

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::{Actor, App, AppError, IfMatch, Name, Operation, Page, Paged, Result};
use crate::domain::access_token::scope::Scope;
use crate::domain::ids::ProjectId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::resources::{organisations, projects};

/// The organisation's projects, by key.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, page: &Page) -> Result<Paged<Project>> {
    let connection = &mut *app.store.read().await?;
    let projects = match actor.scope.as_ref().and_then(Scope::projects) {
        None => projects::list(connection, &actor.organisation_id, &page.after, page.fetch()).await?,
        Some(keys) => in_scope(connection, actor, page, keys).await?,
    };
    Ok(page.paginate(projects, |project| project.key.as_str()))
}

/// The page of those with these keys: a cursor of the whole list would be the key of a project that the scope hides.
async fn in_scope(
    connection: &mut Connection,
    actor: &Actor,
    page: &Page,
    keys: BTreeSet<&str>,
) -> Result<Vec<Project>> {
    let mut found = Vec::new();
    for key in keys.into_iter().filter(|key| *key > page.after.as_str()).take(page.fetch_length()) {
        found.extend(projects::find(connection, &actor.organisation_id, key).await?);
    }
    Ok(found)
}

/// The project of that key.
///
/// # Errors
/// [`AppError::NotFound`] also for another organisation's.
pub async fn read(app: &App, actor: &Actor, key: &str) -> Result<Project> {
    find(&mut *app.store.read().await?, actor, key).await
}

pub(in crate::app) async fn find(connection: &mut Connection, actor: &Actor, key: &str) -> Result<Project> {
    let project = projects::find(connection, &actor.organisation_id, key).await?;
    project.ok_or_else(|| AppError::not_found("project", key))
}

/// The project of that key, which no other transaction changes until this one ends.
///
/// # Errors
/// [`AppError::NotFound`] also for another organisation's.
pub async fn find_to_write(operation: &mut Operation<'_>, key: &str) -> Result<Project> {
    let organisation = &operation.actor.organisation_id;
    let project = projects::lock(operation.write.connection().await?, organisation, key).await?;
    project.ok_or_else(|| AppError::not_found("project", key))
}

/// Creates a project, without environments.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::Exists`] for a key that is taken.
pub async fn create(operation: &mut Operation<'_>, key: Key, name: Name) -> Result<Project> {
    operation.actor.require(Role::Administrator)?;
    let connection = operation.write.connection().await?;
    organisations::lock(connection, &operation.actor.organisation_id).await?;
    if projects::find(connection, &operation.actor.organisation_id, key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "project", key: key.to_string() });
    }
    let now = operation.app.now();
    let id = ProjectId::new(&*operation.app.random, now);
    let (organisation_id, revision) = (operation.actor.organisation_id.clone(), revision::first(now));
    let project = Project { id, organisation_id, key, name: name.into(), revision };
    projects::insert(connection, &project, now).await?;
    record_project_audit(operation, "project.create", BeforeAfter::created(&project)).await?;
    Ok(project)
}

/// Renames a project.
///
/// # Errors
/// [`AppError::Stale`] when it changed since the caller saw it.
pub async fn rename(
    operation: &mut Operation<'_>,
    key: &str,
    name: Option<Name>,
    if_match: IfMatch,
) -> Result<Project> {
    operation.actor.require(Role::Administrator)?;
    let before = find_to_write(operation, key).await?;
    revision::check(if_match, before.revision)?;
    let Some(name) = name.map(String::from).filter(|name| *name != before.name) else {
        return Ok(before);
    };
    let after = Project { name, revision: before.revision + 1, ..before.clone() };
    projects::update(operation.write.connection().await?, &after).await?;
    record_project_audit(operation, "project.update", BeforeAfter::updated(&before, &after)).await?;
    Ok(after)
}

pub(super) async fn record_project_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    BeforeAfter { before, after }: BeforeAfter<'_, Project>,
) -> Result<()> {
    let Some(project) = after.or(before) else {
        return Ok(());
    };
    let state = |project: &Project| json!({ "key": project.key, "name": project.name });
    let resource = format!("projects/{}", project.key);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}
