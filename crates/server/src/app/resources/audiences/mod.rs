//! Saved audiences, for all of a project or for one environment. `edit.rs` changes them, `uses.rs` finds where they are used.

mod edit;
mod uses;

use flagservice_core::Key;
use flagservice_rules::{Condition, validate_conditions_edit};
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::resources::audiences::uses::uses;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, IfMatch, Name, Need, Operation, Page, Paged, Result};
use crate::domain::audience::{Audience, AudienceScope};
use crate::domain::ids::AudienceId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::experiments::records;
use crate::store::resources::audiences;
pub use edit::{AudienceEdit, update_giving_way};
pub use uses::Use;

/// What a new audience is made of.
pub struct NewAudience {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// The key of the one environment that may use it; none: all of the project.
    pub environment: Option<Key>,
    /// All of which must hold.
    pub conditions: Vec<Condition>,
}

/// An audience, with the key of the one environment that may use it.
pub struct AudienceDetails {
    /// The audience.
    pub audience: Audience,
    /// None: all of the project.
    pub environment: Option<Key>,
}

/// The project's audiences, by key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str, page: &Page) -> Result<Paged<AudienceDetails>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let (mut shown, mut after, mut is_end) = (Vec::new(), page.after.clone(), false);
    // Until the page is full: a cursor after an audience that the scope hides would name it.
    while !is_end && shown.len() < page.fetch_length() {
        let audiences = audiences::page(connection, &project.id, &after, page.fetch()).await?;
        is_end = audiences.len() < page.fetch_length();
        for audience in audiences {
            after = audience.key.to_string();
            let details = describe(connection, audience).await?;
            if actor.has_in_scope(need_to_read(&project, &details)) {
                shown.push(details);
            }
        }
    }
    Ok(page.paginate(shown, |details| details.audience.key.as_str()))
}

/// The project's audience of that key, with its uses.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, key: &str) -> Result<(AudienceDetails, Vec<Use>)> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let audience = find(connection, &project, key).await?;
    let mut uses = uses(connection, &project, &audience, || Ok(())).await?;
    let details = describe(connection, audience).await?;
    actor.require_in_scope(need_to_read(&project, &details))?;
    let key = project.key.as_str();
    uses.retain(|used| actor.has_in_scope(Need::ReadEnvironment(key, used.environment.key.as_str())));
    Ok((details, uses))
}

/// An audience for one environment belongs to that one.
fn need_to_read<'a>(project: &'a Project, details: &'a AudienceDetails) -> Need<'a> {
    match &details.environment {
        None => Need::ReadProject(project.key.as_str()),
        Some(environment) => Need::ReadEnvironment(project.key.as_str(), environment.as_str()),
    }
}

async fn find(connection: &mut Connection, project: &Project, key: &str) -> Result<Audience> {
    let audience = audiences::find(connection, &project.id, key).await?;
    audience.ok_or_else(|| AppError::not_found("audience", key))
}

async fn describe(connection: &mut Connection, audience: Audience) -> Result<AudienceDetails> {
    let environment = environment_key(connection, &audience).await?;
    Ok(AudienceDetails { audience, environment })
}

/// The key of the one environment that may use it; none: all of the project.
async fn environment_key(connection: &mut Connection, audience: &Audience) -> Result<Option<Key>> {
    Ok(match &audience.scope {
        AudienceScope::Project => None,
        AudienceScope::Environment(id) => {
            crate::store::resources::environments::get(connection, id).await?.map(|environment| environment.key)
        }
    })
}

/// Saves a new audience.
///
/// # Errors
/// [`AppError::Invalid`] for conditions that could never match, [`AppError::UnknownReference`] for an unknown environment,
/// [`AppError::Exists`] for a key that is taken.
pub async fn create(operation: &mut Operation<'_>, project: &str, new: NewAudience) -> Result<AudienceDetails> {
    operation.actor.require(Role::Editor)?;
    check_conditions(&[], &new.conditions)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    if audiences::find(connection, &project.id, new.key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "audience", key: new.key.to_string() });
    }
    let scope = match &new.environment {
        None => AudienceScope::Project,
        Some(key) => {
            let environment = environments::find(connection, &project, key.as_str()).await;
            AudienceScope::Environment(environment.map_err(|error| error.of_reference("/environmentKey"))?.id)
        }
    };
    let now = operation.app.now();
    let id = AudienceId::new(&*operation.app.random, now);
    let audience = Audience {
        id,
        project_id: project.id.clone(),
        scope,
        key: new.key,
        name: new.name.into(),
        conditions: new.conditions,
        revision: revision::first(now),
    };
    audiences::insert(connection, &audience, now).await?;
    record_audience_audit(operation, "audience.create", &project, BeforeAfter::created(&audience)).await?;
    Ok(AudienceDetails { audience, environment: new.environment })
}

/// Deletes an audience that no rule uses.
///
/// # Errors
/// [`AppError::InUse`] names the uses, [`AppError::Stale`] when it changed since the caller saw it.
pub async fn delete(operation: &mut Operation<'_>, project: &str, key: &str, if_match: IfMatch) -> Result<()> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let audience = find(connection, &project, key).await?;
    revision::check(if_match, audience.revision)?;
    let uses = uses(connection, &project, &audience, || Ok(())).await?;
    if !uses.is_empty() {
        let places: Vec<_> =
            uses.iter().map(|used| format!("{} in {}", used.feature.key, used.environment.key)).collect();
        let detail = format!("The audience '{key}' is used by {}. Change these rules first.", places.join(", "));
        return Err(AppError::InUse(detail));
    }
    if let Some((experiment, environment)) = records::with_audience(connection, &audience.id).await?.first() {
        let detail = format!(
            "The audience '{key}' says who takes part in the experiment '{experiment}' in {environment}. Stop or change that first."
        );
        return Err(AppError::InUse(detail));
    }
    remove(operation, &project, &audience).await
}

/// Removes an audience that nothing uses.
///
/// # Errors
/// When the database fails.
pub(super) async fn remove(operation: &mut Operation<'_>, project: &Project, audience: &Audience) -> Result<()> {
    audiences::delete(operation.write.connection().await?, &audience.id).await?;
    record_audience_audit(operation, "audience.delete", project, BeforeAfter::deleted(audience)).await
}

fn check_conditions(before: &[Condition], conditions: &[Condition]) -> Result<()> {
    let mut errors = validate_conditions_edit(before, conditions);
    for error in &mut errors {
        error.pointer.insert_str(0, "/conditions");
    }
    if errors.is_empty() { Ok(()) } else { Err(AppError::Invalid(errors)) }
}

async fn record_audience_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    project: &Project,
    BeforeAfter { before, after }: BeforeAfter<'_, Audience>,
) -> Result<()> {
    let Some(audience) = after.or(before) else {
        return Ok(());
    };
    let environment = environment_key(operation.write.connection().await?, audience).await?;
    let state = |audience: &Audience| -> Value {
        let environment_id = match &audience.scope {
            AudienceScope::Project => None,
            AudienceScope::Environment(id) => Some(id),
        };
        let (key, name, conditions) = (&audience.key, &audience.name, &audience.conditions);
        json!({
            "key": key, "name": name, "environmentId": environment_id, "environmentKey": environment, "conditions": conditions,
        })
    };
    let resource = format!("projects/{}/audiences/{}", project.key, audience.key);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}
