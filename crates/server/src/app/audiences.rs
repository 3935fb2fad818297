//! Saved audiences, for all of a project or for one environment.

use std::collections::HashMap;

use crate::store::Connection;
use flagservice_core::Key;
use flagservice_rules::{Condition, validate_conditions};
use serde_json::json;

use super::change::{Trace, record};
use super::{Actor, App, AppError, Result, environments, projects};
use crate::ids::{AudienceId, EnvironmentId, ProjectId};
use crate::role::Role;
use crate::store::audiences;
pub use crate::store::audiences::{Audience, AudienceScope};

/// What a new audience is made of.
pub struct NewAudience {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// The key of the one environment that may use it; none: all of the project.
    pub environment: Option<Key>,
    /// All of which must hold.
    pub conditions: Vec<Condition>,
}

/// The project's audiences, by key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str) -> Result<Vec<Audience>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    Ok(audiences::list(&mut connection, &project.id).await?)
}

/// The audiences that rules of the environment may name, with their conditions.
///
/// # Errors
/// When the database fails.
pub async fn usable(
    connection: &mut Connection,
    project: &ProjectId,
    environment: &EnvironmentId,
) -> crate::store::Result<HashMap<Key, Vec<Condition>>> {
    let audiences = audiences::list(connection, project).await?;
    let usable = audiences.into_iter().filter(|audience| audience.scope.covers(environment));
    Ok(usable.map(|audience| (audience.key, audience.conditions)).collect())
}

/// Saves a new audience.
///
/// # Errors
/// [`AppError::Invalid`] for conditions that could never match, [`AppError::Exists`] for a key that is taken.
pub async fn create(app: &App, actor: &Actor, project: &str, new: NewAudience) -> Result<Audience> {
    actor.require(Role::Editor)?;
    let mut errors = validate_conditions(&new.conditions);
    for error in &mut errors {
        error.pointer.insert_str(0, "/conditions");
    }
    if !errors.is_empty() {
        return Err(AppError::Invalid(errors));
    }
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    let project = projects::find_to_add(connection, actor, project).await?;
    if audiences::list(connection, &project.id).await?.iter().any(|audience| audience.key == new.key) {
        return Err(AppError::Exists { what: "audience", key: new.key.to_string() });
    }
    let scope = match &new.environment {
        None => AudienceScope::Project,
        Some(key) => AudienceScope::Environment(environments::find(connection, &project, key.as_str()).await?.id),
    };
    let now = app.now();
    let id = AudienceId::new(&*app.random, now);
    let audience =
        Audience { id, project_id: project.id, scope, key: new.key, name: new.name, conditions: new.conditions };
    audiences::insert(connection, &audience, now).await?;
    let after = json!({
        "key": audience.key, "name": audience.name, "environmentKey": new.environment, "conditions": audience.conditions,
    });
    let resource = format!("projects/{}/audiences/{}", project.key, audience.key);
    let trace = Trace { action: "audience.create", resource: &resource, before: None, after: Some(&after) };
    record(app, actor, &mut write, trace).await?;
    write.commit().await?;
    Ok(audience)
}
