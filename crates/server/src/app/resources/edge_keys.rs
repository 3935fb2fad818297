//! Edge keys of a project: each gives edges access to all of its environments, or to some. Several count at a time, so that one can be
//! replaced without an outage.

use flagservice_core::Key;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::resources::environments::touch;
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Name, Need, Operation, Page, Paged, Result};
use crate::domain::edge_key::{EDGE_KEY_PREFIX, EdgeKey};
use crate::domain::ids::{EdgeKeyId, EnvironmentId};
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::random;
use crate::secret::Secret;
use crate::store::Connection;
use crate::store::resources::{edge_keys, environments};

/// The most environments that a key is limited to.
pub const MAX_ENVIRONMENTS: usize = 50;

/// What a new key is made of.
pub struct NewEdgeKey {
    /// For people.
    pub name: Name,
    /// The keys of the environments that it gives access to; none: all of the project, also those added later.
    pub environments: Option<Vec<Key>>,
}

/// The project's keys that count and give access to something in the scope of the token, oldest first.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str, page: &Page) -> Result<Paged<EdgeKey>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    let keys = edge_keys::page(&mut connection, &project.id, &page.after, page.fetch()).await?;
    let mut paged = page.paginate(keys, |key| key.id.as_str());
    let in_scope = |key: &Key| actor.has_in_scope(Need::ReadEnvironment(project.key.as_str(), key.as_str()));
    paged.items.retain(|key| match key.environments.as_deref() {
        None | Some([]) => true,
        Some(included) => included.iter().any(|(_, key)| in_scope(key)),
    });
    Ok(paged)
}

/// Makes a key, and shows it this once.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators, [`AppError::Invalid`] for no environments or too many,
/// [`AppError::UnknownReference`] for an unknown one.
pub async fn create(operation: &mut Operation<'_>, project: &str, new: NewEdgeKey) -> Result<(EdgeKey, Secret)> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let environments = match new.environments {
        None => None,
        Some(keys) => Some(resolve(operation.write.connection().await?, &project, &keys).await?),
    };
    let (key, text) = issue(operation, &project, new.name.into(), environments).await?;
    record(operation, "edge-key.create", &project, BeforeAfter::created(&key)).await?;
    Ok((key, text))
}

/// Makes another key with the name and the environments of one, and shows it this once. The old one counts until it is revoked.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such key that counts.
pub async fn rotate(operation: &mut Operation<'_>, project: &str, id: &str) -> Result<(EdgeKey, Secret)> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let old = find(operation.write.connection().await?, &project, id).await?;
    let (key, text) = issue(operation, &project, old.name.clone(), old.environments.clone()).await?;
    record(operation, "edge-key.rotate", &project, BeforeAfter::updated(&old, &key)).await?;
    Ok((key, text))
}

/// Revokes a key: edges that use it get no more changes.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such key that counts.
pub async fn revoke(operation: &mut Operation<'_>, project: &str, id: &str) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let key = find(operation.write.connection().await?, &project, id).await?;
    edge_keys::revoke(operation.write.connection().await?, &key.id, operation.app.now()).await?;
    touch_environments(operation, &project, &key).await?;
    record(operation, "edge-key.revoke", &project, BeforeAfter::deleted(&key)).await
}

async fn find(connection: &mut Connection, project: &Project, id: &str) -> Result<EdgeKey> {
    let key = edge_keys::find(connection, &project.id, id).await?;
    key.ok_or_else(|| AppError::not_found("edge key", id))
}

/// The environments of these keys, in the order of the project. None comes twice.
async fn resolve(connection: &mut Connection, project: &Project, keys: &[Key]) -> Result<Vec<(EnvironmentId, Key)>> {
    if keys.is_empty() || keys.len() > MAX_ENVIRONMENTS {
        let detail =
            format!("Name 1 to {MAX_ENVIRONMENTS} environments, or leave the field out for the whole project.");
        return Err(AppError::invalid("/environmentKeys", detail));
    }
    let all = environments::list(connection, &project.id).await?;
    for (index, key) in keys.iter().enumerate() {
        if all.iter().all(|environment| environment.key != *key) {
            return Err(AppError::not_found("environment", key).of_reference(format!("/environmentKeys/{index}")));
        }
    }
    let named = all.into_iter().filter(|environment| keys.contains(&environment.key));
    Ok(named.map(|environment| (environment.id, environment.key)).collect())
}

async fn issue(
    operation: &mut Operation<'_>,
    project: &Project,
    name: String,
    environments: Option<Vec<(EnvironmentId, Key)>>,
) -> Result<(EdgeKey, Secret)> {
    let text = Secret::new(random::secret(&*operation.app.random, EDGE_KEY_PREFIX));
    let created_at = operation.app.now();
    let key = EdgeKey {
        id: EdgeKeyId::new(&*operation.app.random, created_at),
        project_id: project.id.clone(),
        name,
        hash: text.hash(),
        hint: text.hint(),
        environments,
        created_at,
        last_used_at: None,
    };
    edge_keys::insert(operation.write.connection().await?, &key).await?;
    touch_environments(operation, project, &key).await?;
    Ok((key, text))
}

/// Raises the versions of the environments that the key gives access to: nodes and edges learn of keys by them.
async fn touch_environments(operation: &mut Operation<'_>, project: &Project, key: &EdgeKey) -> Result<()> {
    let all = environments::list(operation.write.connection().await?, &project.id).await?;
    for environment in all.iter().filter(|environment| key.includes(&environment.id)) {
        touch(operation, environment).await?;
    }
    Ok(())
}

/// Records that the project's keys count no longer, because the project is removed.
///
/// # Errors
/// When the database fails.
pub(super) async fn record_revocations(operation: &mut Operation<'_>, project: &Project) -> Result<()> {
    let connection = operation.write.connection().await?;
    for key in edge_keys::page(connection, &project.id, "", i64::MAX).await? {
        record(operation, "edge-key.revoke", project, BeforeAfter::deleted(&key)).await?;
    }
    Ok(())
}

/// The record names the new key, or the one that was revoked.
async fn record(
    operation: &mut Operation<'_>,
    action: &'static str,
    project: &Project,
    BeforeAfter { before, after }: BeforeAfter<'_, EdgeKey>,
) -> Result<()> {
    let Some(key) = after.or(before) else { return Ok(()) };
    let resource = format!("projects/{}/edge-keys/{}", project.key, key.id);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}

fn state(key: &EdgeKey) -> Value {
    let environment = |(_, key): &(EnvironmentId, Key)| json!({ "environmentKey": key });
    let environments = key.environments.as_ref().map(|all| all.iter().map(environment).collect::<Vec<_>>());
    json!({ "id": key.id, "name": key.name, "environments": environments })
}
