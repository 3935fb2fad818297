//! Client keys (public) and server keys (secret) of an environment. Several count at a time, so that one can be replaced
//! without an outage.

use serde_json::json;

use crate::app::changes::audit::{AuditRecord, record_audit};
use crate::app::resources::environments::{self, touch};
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, EnvironmentRef, Name, Operation, Page, Paged, Result};
use crate::domain::environment::Environment;
use crate::domain::ids::SdkKeyId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::domain::sdk_key::{KeyKind, SdkKey};
use crate::random;
use crate::secret::Secret;
use crate::store::resources::sdk_keys;

/// The environment's keys of that kind that count, oldest first.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project or environment.
pub async fn list(
    app: &App,
    actor: &Actor,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
    kind: KeyKind,
    page: &Page,
) -> Result<Paged<SdkKey>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    let environment = environments::find(&mut connection, &project, environment).await?;
    let keys = sdk_keys::page(&mut connection, &environment.id, kind, &page.after, page.fetch()).await?;
    Ok(page.paginate(keys, |key| key.id.as_str()))
}

/// Makes a key, and shows it this once.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators.
pub async fn create(
    operation: &mut Operation<'_>,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
    kind: KeyKind,
    name: Name,
) -> Result<(SdkKey, Secret)> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let environment = environments::find(operation.write.connection().await?, &project, environment).await?;
    let text = Secret::new(random::secret(&*operation.app.random, kind.prefix()));
    let created_at = operation.app.now();
    let key = SdkKey {
        id: SdkKeyId::new(&*operation.app.random, created_at),
        environment_id: environment.id.clone(),
        kind,
        name: name.into(),
        hash: text.hash(),
        hint: text.hint(),
        created_at,
        last_used_at: None,
    };
    sdk_keys::insert(operation.write.connection().await?, &key).await?;
    touch(operation, &environment).await?;
    let after = json!({ "id": key.id, "name": key.name });
    let resource = resource(project.key.as_str(), &environment, &key);
    let action = word(kind, "client-key.create", "server-key.create");
    record_audit(operation, AuditRecord { action, resource, before: None, after: Some(after) }).await?;
    Ok((key, text))
}

/// Revokes a key: requests with it fail at once, and its streams end.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such key that counts.
pub async fn revoke(
    operation: &mut Operation<'_>,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
    kind: KeyKind,
    id: &str,
) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let environment = environments::find(operation.write.connection().await?, &project, environment).await?;
    let keys = sdk_keys::list(operation.write.connection().await?, &environment.id).await?;
    let key = keys.rows.into_iter().find(|key| key.kind == kind && key.id.as_str() == id);
    let key = key.ok_or_else(|| AppError::not_found(word(kind, "client key", "server key"), id))?;
    sdk_keys::revoke(operation.write.connection().await?, &key.id, operation.app.now()).await?;
    touch(operation, &environment).await?;
    record_revocation(operation, &project, &environment, &key).await
}

/// Records that a key counts no longer.
///
/// # Errors
/// When the database fails.
pub(super) async fn record_revocation(
    operation: &mut Operation<'_>,
    project: &Project,
    environment: &Environment,
    key: &SdkKey,
) -> Result<()> {
    let before = json!({ "id": key.id, "name": key.name });
    let resource = resource(project.key.as_str(), environment, key);
    let action = word(key.kind, "client-key.revoke", "server-key.revoke");
    record_audit(operation, AuditRecord { action, resource, before: Some(before), after: None }).await
}

fn word(kind: KeyKind, client: &'static str, server: &'static str) -> &'static str {
    match kind {
        KeyKind::Client => client,
        KeyKind::Server => server,
    }
}

fn resource(project: &str, environment: &Environment, key: &SdkKey) -> String {
    let kind = word(key.kind, "client-keys", "server-keys");
    format!("projects/{project}/environments/{}/{kind}/{}", environment.key, key.id)
}
