//! Client keys: public texts with which a page reads evaluated values and writes goals of one environment.

use serde_json::json;

use super::change::{Trace, record};
use super::environments::entry;
use super::{Actor, App, AppError, Result, environments, projects};
use crate::ids::{ChangeId, ClientKeyId};
use crate::random;
use crate::role::Role;
use crate::secret::Secret;
use crate::store::Write;
use crate::store::client_keys;
pub use crate::store::client_keys::ClientKey;
use crate::store::environments::Environment;

/// What a client key begins with.
pub const CLIENT_KEY_PREFIX: &str = "js-";

/// How many of a key's last characters are kept for people.
const HINT_LENGTH: usize = 4;

/// The environment's keys that count.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project or environment.
pub async fn list(app: &App, actor: &Actor, project: &str, environment: &str) -> Result<Vec<ClientKey>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    let environment = environments::find(&mut connection, &project, environment).await?;
    Ok(client_keys::list(&mut connection, &environment.id).await?)
}

/// Makes a key, and shows it this once.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators.
pub async fn create(
    app: &App,
    actor: &Actor,
    (project, environment): (&str, &str),
    name: String,
) -> Result<(ClientKey, Secret)> {
    actor.require(Role::Administrator)?;
    let mut write = app.store.write().await?;
    let project = projects::find(write.connection().await?, actor, project).await?;
    let environment = environments::find(write.connection().await?, &project, environment).await?;
    let (key, text) = add(app, &mut write, &environment, name).await?;
    let after = json!({ "id": key.id, "name": key.name });
    let resource = format!("projects/{}/environments/{}/client-keys/{}", project.key, environment.key, key.id);
    let trace = Trace { action: "client-key.create", resource: &resource, before: None, after: Some(&after) };
    record(app, actor, &mut write, trace).await?;
    publish(app, write, &environment, &after).await?;
    Ok((key, text))
}

/// Revokes a key: loads with it fail at once, and its streams end.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such key that counts.
pub async fn revoke(app: &App, actor: &Actor, (project, environment): (&str, &str), id: &str) -> Result<()> {
    actor.require(Role::Administrator)?;
    let mut write = app.store.write().await?;
    let project = projects::find(write.connection().await?, actor, project).await?;
    let environment = environments::find(write.connection().await?, &project, environment).await?;
    if !client_keys::revoke(write.connection().await?, &environment.id, id, app.now()).await? {
        return Err(AppError::not_found("client key", id));
    }
    let before = json!({ "id": id });
    let resource = format!("projects/{}/environments/{}/client-keys/{id}", project.key, environment.key);
    let trace = Trace { action: "client-key.revoke", resource: &resource, before: Some(&before), after: None };
    record(app, actor, &mut write, trace).await?;
    publish(app, write, &environment, &before).await
}

/// Adds a key to the environment.
pub(super) async fn add(
    app: &App,
    write: &mut Write<'_>,
    environment: &Environment,
    name: String,
) -> Result<(ClientKey, Secret)> {
    let text = random::secret(&*app.random, CLIENT_KEY_PREFIX);
    let hint = text.get(text.len().saturating_sub(HINT_LENGTH)..).unwrap_or_default().to_owned();
    let text = Secret::new(text);
    let id = ClientKeyId::new(&*app.random, app.now());
    let key = ClientKey { id, environment_id: environment.id.clone(), name, hash: text.hash(), hint };
    client_keys::insert(write.connection().await?, &key, app.now()).await?;
    Ok((key, text))
}

/// Makes the change of keys known to those who follow the environment.
async fn publish(app: &App, mut write: Write<'_>, environment: &Environment, change: &serde_json::Value) -> Result<()> {
    let change_id = ChangeId::new(&*app.random, app.now());
    let version = write.publish(&entry(app, &environment.id, &change_id, change)).await?;
    write.commit().await?;
    app.snapshots.wait_for(&environment.id, version).await;
    Ok(())
}
