//! Deletes an environment or a project with what belongs to it: each thing has an audit record of its own, and nothing is removed that
//! runs.

use std::collections::HashMap;

use serde_json::json;

use crate::app::changes::approvals::cancel_removed;
use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::changes::schedule::given_up::give_up;
use crate::app::changes::targeting::initial;
use crate::app::delivery::fan_out;
use crate::app::experiments::{Place, record_experiment_audit, refuse_running};
use crate::app::resources::{audiences, edge_keys, environments, pipelines, projects, sdk_keys};
use crate::app::{AppError, IfMatch, Operation, Result};
use crate::domain::approval::Staleness;
use crate::domain::audience::AudienceScope;
use crate::domain::environment::Environment;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::changes::{approvals, targetings};
use crate::store::delivery::fan_outs;
use crate::store::experiments::records;
use crate::store::resources;

/// Deletes an environment with its targeting, keys and goals. A production environment must first be marked otherwise.
///
/// # Errors
/// [`AppError::InUse`] for an environment in use, also by a running experiment, [`AppError::Stale`] when it changed since the
/// caller saw it.
pub async fn delete_environment(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    if_match: IfMatch,
) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let environment = environments::find(connection, &project, key).await?;
    revision::check(if_match, environment.revision)?;
    if environment.production {
        let detail = format!("'{key}' is marked as production. Take the mark away first, then delete it.");
        return Err(AppError::InUse(detail));
    }
    for pipeline in resources::pipelines::list(connection, &project.id, "", i64::MAX).await? {
        if pipeline.phases.iter().any(|phase| phase.environment_id == environment.id) {
            let detail = format!("The pipeline '{}' has a phase in '{key}'. Change the pipeline first.", pipeline.key);
            return Err(AppError::InUse(detail));
        }
    }
    refuse_running(&records::page(connection, &environment.id, "", i64::MAX).await?, &environment.key)?;
    with_environment(operation, &project, &environment).await?;
    // Queue its undelivered changes before its outbox is deleted.
    fan_out::finish(operation).await?;
    let connection = operation.write.connection().await?;
    fan_outs::forget(connection, &environment.id).await?;
    resources::environments::delete(connection, &environment.id).await?;
    operation.write.forget(&environment.id);
    let deleted = BeforeAfter::deleted(&environment);
    environments::record_environment_audit(operation, "environment.delete", &project, deleted).await
}

/// Deletes a project that is empty.
///
/// # Errors
/// [`AppError::InUse`] for a project with environments or features, [`AppError::Stale`] when it changed since the caller saw
/// it.
pub async fn delete_project(operation: &mut Operation<'_>, key: &str, if_match: IfMatch) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, key).await?;
    revision::check(if_match, project.revision)?;
    let connection = operation.write.connection().await?;
    let environments = resources::environments::list(connection, &project.id).await?.len();
    let features = resources::features::list(connection, &project.id).await?.len();
    if environments + features > 0 {
        return Err(AppError::InUse(format!(
            "The project '{key}' still has {environments} environments and {features} features. Delete these first."
        )));
    }
    let in_project = resources::pipelines::list(connection, &project.id, "", i64::MAX).await?;
    for audience in resources::audiences::list(connection, &project.id).await? {
        audiences::remove(operation, &project, &audience).await?;
    }
    for pipeline in in_project {
        pipelines::remove(operation, &project, &pipeline).await?;
    }
    edge_keys::record_revocations(operation, &project).await?;
    resources::projects::delete(operation.write.connection().await?, &project.id).await?;
    projects::record_project_audit(operation, "project.delete", BeforeAfter::deleted(&project)).await
}

/// Records what is removed with an environment, and removes its audiences.
///
/// # Errors
/// When the database fails.
async fn with_environment(operation: &mut Operation<'_>, project: &Project, environment: &Environment) -> Result<()> {
    end_requests(operation, project, environment).await?;
    let connection = operation.write.connection().await?;
    let place = Place { project: project.clone(), environment: environment.clone() };
    for experiment in records::page(connection, &environment.id, "", i64::MAX).await? {
        record_experiment_audit(operation, "experiment.delete", &place, BeforeAfter::deleted(&experiment)).await?;
    }
    let connection = operation.write.connection().await?;
    for audience in resources::audiences::list(connection, &project.id).await? {
        if audience.scope == AudienceScope::Environment(environment.id.clone()) {
            audiences::remove(operation, project, &audience).await?;
        }
    }
    let connection = operation.write.connection().await?;
    for key in resources::sdk_keys::list(connection, &environment.id).await?.rows {
        sdk_keys::record_revocation(operation, project, environment, &key).await?;
    }
    record_targetings(operation, project, environment).await
}

/// Ends what waits in the environment. What concerns other environments as well, the change of a feature itself, is kept among theirs, but
/// can no longer be made: it was requested for what all of them serve.
async fn end_requests(operation: &mut Operation<'_>, project: &Project, environment: &Environment) -> Result<()> {
    let connection = operation.write.connection().await?;
    let others = resources::environments::list(connection, &project.id).await?;
    let other = others.into_iter().find(|other| other.id != environment.id);
    for approval in approvals::waiting_in(connection, &environment.id).await? {
        if approval.record_change.is_some() && other.is_some() {
            drop(give_up(operation, project, approval, Staleness::FeatureChanged).await?);
        } else {
            cancel_removed(operation, project, approval).await?;
        }
    }
    if let Some(other) = other {
        let connection = operation.write.connection().await?;
        approvals::move_record_changes(connection, &environment.id, &other.id).await?;
    }
    Ok(())
}

/// A targeting that nobody has touched is not worth a record.
async fn record_targetings(operation: &mut Operation<'_>, project: &Project, environment: &Environment) -> Result<()> {
    let connection = operation.write.connection().await?;
    let stored = targetings::list_readable(connection, &environment.id).await?.rows.into_iter();
    let stored: HashMap<_, _> = stored.map(|stored| (stored.feature_id, stored.targeting)).collect();
    for feature in resources::features::list_readable(connection, &project.id).await?.rows {
        let of_feature = stored.get(&feature.id);
        let Some(targeting) = of_feature.filter(|targeting| **targeting != initial(&feature)) else { continue };
        let targeting = json!({ "environmentKey": environment.key, "targeting": targeting });
        let before = Some(json!({ "key": feature.key, "name": feature.name, "targetings": [targeting] }));
        let resource = format!("projects/{}/features/{}", project.key, feature.key);
        record_audit(operation, AuditRecord { action: "targeting.delete", resource, before, after: None }).await?;
    }
    Ok(())
}
