//! Environments of a project.

use crate::store::Connection;
use flagservice_core::Key;
use serde_json::json;

use super::change::{Trace, record};
use super::{Actor, App, AppError, Result, projects, targeting};
use crate::ids::{ChangeId, EnvironmentId};
use crate::random;
use crate::role::Role;
use crate::store::environments;
pub use crate::store::environments::Environment;
use crate::store::outbox::NewEntry;
use crate::store::projects::Project;
use crate::store::targetings::{self, StoredTargeting};
use crate::store::{Write, features};

/// What a new environment is made of.
pub struct NewEnvironment {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// Whether changing it needs the production right.
    pub production: bool,
}

/// The project's environments, in their order.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str) -> Result<Vec<Environment>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    Ok(environments::list(&mut connection, &project.id).await?)
}

/// The project's environment of that key.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn find(connection: &mut Connection, project: &Project, key: &str) -> Result<Environment> {
    let environment = environments::find(connection, &project.id, key).await?;
    environment.ok_or_else(|| AppError::not_found("environment", key))
}

/// Creates an environment; every feature of the project is off in it.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::Exists`] for a key that is taken.
pub async fn create(app: &App, actor: &Actor, project: &str, new: NewEnvironment) -> Result<Environment> {
    actor.require(Role::Administrator)?;
    let mut write = app.store.write().await?;
    let project = projects::find_to_add(write.connection().await?, actor, project).await?;
    let mut environment = add(app, &mut write, &project, new).await?;
    let resource = format!("projects/{}/environments/{}", project.key, environment.key);
    let after = json!({ "key": environment.key, "name": environment.name, "production": environment.production });
    let trace = Trace { action: "environment.create", resource: &resource, before: None, after: Some(&after) };
    record(app, actor, &mut write, trace).await?;
    environment.version =
        write.publish(&entry(app, &environment.id, &ChangeId::new(&*app.random, app.now()), &after)).await?;
    write.commit().await?;
    app.snapshots.wait_for(&environment.id, environment.version).await;
    Ok(environment)
}

/// Adds an environment with the project's features in it.
pub(super) async fn add(
    app: &App,
    write: &mut Write<'_>,
    project: &Project,
    new: NewEnvironment,
) -> Result<Environment> {
    let connection = write.connection().await?;
    let present = environments::list(connection, &project.id).await?;
    if present.iter().any(|environment| environment.key == new.key) {
        return Err(AppError::Exists { what: "environment", key: new.key.to_string() });
    }
    let now = app.now();
    let environment = Environment {
        id: EnvironmentId::new(&*app.random, now),
        project_id: project.id.clone(),
        key: new.key,
        name: new.name,
        production: new.production,
        position: present.iter().map(|environment| environment.position + 1).max().unwrap_or(0),
        epoch: u64::from_be_bytes(random::bytes(&*app.random)),
        version: 0,
    };
    environments::insert(connection, &environment, now).await?;
    for feature in features::list(connection, &project.id).await? {
        let targeting = targeting::initial(&feature);
        let stored = StoredTargeting { feature_id: feature.id, targeting, version: 0 };
        targetings::put(connection, &environment.id, &stored).await?;
    }
    Ok(environment)
}

/// An outbox entry for a change of the environment itself.
pub(super) fn entry<'a>(
    app: &App,
    environment: &'a EnvironmentId,
    change_id: &'a ChangeId,
    change: &'a serde_json::Value,
) -> NewEntry<'a> {
    NewEntry { environment_id: environment, change_id, feature_id: None, at: app.now(), change }
}
