//! The people of the caller's organisation, and what each may do.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Edit, IfMatch, Name, Operation, Page, Paged, Result};
use crate::domain::ids::UserId;
use crate::domain::role::Role;
use crate::domain::user::User;
use crate::store::Connection;
use crate::store::resources::{access_tokens, features, organisations, users};

/// What is to change of a person; nothing where there is none.
#[derive(Default)]
pub struct UserEdit {
    /// Another name.
    pub name: Option<Name>,
    /// Another role.
    pub role: Option<Role>,
}

/// The organisation's people, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, actor: &Actor, page: &Page) -> Result<Paged<User>> {
    let connection = &mut *app.store.read().await?;
    let users = users::list(connection, &actor.organisation_id, &page.after, page.fetch()).await?;
    Ok(page.paginate(users, |user| user.id.as_str()))
}

/// The person of that id.
///
/// # Errors
/// [`AppError::NotFound`] also for another organisation's.
pub async fn read(app: &App, actor: &Actor, id: &str) -> Result<User> {
    find(&mut *app.store.read().await?, actor, id).await
}

pub(in crate::app) async fn find(connection: &mut Connection, actor: &Actor, id: &str) -> Result<User> {
    let user = users::find(connection, &actor.organisation_id, id).await?;
    user.ok_or_else(|| AppError::not_found("user", id))
}

/// Adds a person.
///
/// # Errors
/// [`AppError::Forbidden`] for all but administrators.
pub async fn create(operation: &mut Operation<'_>, name: Name, role: Role) -> Result<User> {
    operation.actor.require(Role::Administrator)?;
    let now = operation.app.now();
    let id = UserId::new(&*operation.app.random, now);
    let organisation_id = operation.actor.organisation_id.clone();
    let user = User { id, organisation_id, name: name.into(), role, identity: None, revision: 1 };
    users::insert(operation.write.connection().await?, &user, now).await?;
    record_user_audit(operation, "user.create", BeforeAfter::created(&user)).await?;
    Ok(user)
}

/// Changes a person's name or role.
///
/// # Errors
/// [`AppError::InUse`] when the organisation would be left without an administrator.
pub async fn update(
    operation: &mut Operation<'_>,
    id: &str,
    Edit { fields, if_match }: Edit<UserEdit>,
) -> Result<User> {
    operation.actor.require(Role::Administrator)?;
    organisations::lock(operation.write.connection().await?, &operation.actor.organisation_id).await?;
    let before = find(operation.write.connection().await?, operation.actor, id).await?;
    revision::check(if_match, before.revision)?;
    let mut after = before.clone();
    after.name = fields.name.map_or(after.name, String::from);
    after.role = fields.role.unwrap_or(after.role);
    if after.name == before.name && after.role == before.role {
        return Ok(before);
    }
    after.revision += 1;
    users::update(operation.write.connection().await?, &after).await?;
    keep_an_administrator(operation).await?;
    record_user_audit(operation, "user.update", BeforeAfter::updated(&before, &after)).await?;
    Ok(after)
}

/// Deletes a person, whose tokens then no longer count. The features that they looked after have no owner then.
///
/// # Errors
/// [`AppError::InUse`] when the organisation would be left without an administrator,
/// [`AppError::Stale`] when it changed since the caller saw it.
pub async fn delete(operation: &mut Operation<'_>, id: &str, if_match: IfMatch) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    organisations::lock(operation.write.connection().await?, &operation.actor.organisation_id).await?;
    let user = find(operation.write.connection().await?, operation.actor, id).await?;
    revision::check(if_match, user.revision)?;
    let connection = operation.write.connection().await?;
    let tokens = access_tokens::names_of(connection, &user.id, operation.app.now()).await?;
    // As the records of the tokens themselves, so that an erasure finds the names.
    let tokens: Vec<_> = tokens.into_iter().map(|name| json!({ "name": name, "userId": user.id })).collect();
    let features = delete_record(operation, &user).await?;
    let before = json!({ "name": user.name, "role": user.role, "features": features, "tokens": tokens });
    let resource = format!("users/{}", user.id);
    record_audit(operation, AuditRecord { action: "user.delete", resource, before: Some(before), after: None }).await
}

/// Removes the person's record without an audit record, when they are erased.
///
/// # Errors
/// As for [`delete`].
pub(in crate::app) async fn remove(operation: &mut Operation<'_>, id: &str) -> Result<()> {
    organisations::lock(operation.write.connection().await?, &operation.actor.organisation_id).await?;
    let user = find(operation.write.connection().await?, operation.actor, id).await?;
    delete_record(operation, &user).await.map(drop)
}

/// Deletes the person's record, with their tokens. Returns the paths of the features that they looked after.
async fn delete_record(operation: &mut Operation<'_>, user: &User) -> Result<Vec<String>> {
    let owned = features::owned_by(operation.write.connection().await?, &user.id).await?;
    // A feature changes under the lock of its project.
    for project in owned.iter().map(|(project, _)| project).collect::<BTreeSet<_>>() {
        projects::find_to_write(operation, project).await?;
    }
    let connection = operation.write.connection().await?;
    features::clear_owner(connection, &user.id).await?;
    users::delete(connection, &user.id).await?;
    keep_an_administrator(operation).await?;
    Ok(owned.into_iter().map(|(project, feature)| format!("projects/{project}/features/{feature}")).collect())
}

async fn keep_an_administrator(operation: &mut Operation<'_>) -> Result<()> {
    let left = users::count(operation.write.connection().await?, &operation.actor.organisation_id, Role::Administrator)
        .await?;
    if left > 0 {
        return Ok(());
    }
    Err(AppError::InUse("The organisation needs an administrator. Make somebody else one first.".to_owned()))
}

async fn record_user_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    BeforeAfter { before, after }: BeforeAfter<'_, User>,
) -> Result<()> {
    let Some(user) = after.or(before) else {
        return Ok(());
    };
    let state = |user: &User| -> Value { json!({ "name": user.name, "role": user.role }) };
    let resource = format!("users/{}", user.id);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}
