//! Projects of the caller's organisation.

use crate::store::Connection;
use flagservice_core::Key;
use serde_json::json;

use super::change::{Trace, record};
use super::{Actor, App, AppError, Result};
use crate::ids::ProjectId;
use crate::role::Role;
pub use crate::store::projects::Project;
use crate::store::{organisations, projects};

/// The organisation's projects, by key.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor) -> Result<Vec<Project>> {
    Ok(projects::list(&mut *app.store.read().await?, &actor.organisation_id).await?)
}

/// The project of that key.
///
/// # Errors
/// [`AppError::NotFound`] also for another organisation's.
pub async fn find(connection: &mut Connection, actor: &Actor, key: &str) -> Result<Project> {
    let project = projects::find(connection, &actor.organisation_id, key).await?;
    project.ok_or_else(|| AppError::not_found("project", key))
}

/// The project of that key, to which nobody else adds anything until the transaction ends.
///
/// # Errors
/// [`AppError::NotFound`] also for another organisation's.
pub async fn find_to_add(connection: &mut Connection, actor: &Actor, key: &str) -> Result<Project> {
    let project = find(connection, actor, key).await?;
    projects::lock(connection, &project.id).await?;
    Ok(project)
}

/// Creates a project, without environments.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::Exists`] for a key that is taken.
pub async fn create(app: &App, actor: &Actor, key: Key, name: String) -> Result<Project> {
    actor.require(Role::Administrator)?;
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    organisations::lock(connection, &actor.organisation_id).await?;
    if projects::find(connection, &actor.organisation_id, key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "project", key: key.to_string() });
    }
    let now = app.now();
    let id = ProjectId::new(&*app.random, now);
    let project = Project { id, organisation_id: actor.organisation_id.clone(), key, name };
    projects::insert(connection, &project, now).await?;
    let after = json!({ "key": project.key, "name": project.name });
    let resource = format!("projects/{}", project.key);
    let trace = Trace { action: "project.create", resource: &resource, before: None, after: Some(&after) };
    record(app, actor, &mut write, trace).await?;
    write.commit().await?;
    Ok(project)
}
