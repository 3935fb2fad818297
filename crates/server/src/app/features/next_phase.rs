//! Moves a feature to the next phase of its release pipeline.

use flagservice_core::Key;

use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::plan::Plan;
use crate::app::features::lookup::find;
use crate::app::features::{FeatureDetails, describe};
use crate::app::resources::phases::{current, moved, place};
use crate::app::resources::{self, projects};
use crate::app::{AppError, Operation, Result};
use crate::domain::experiments::GuardTrip;
use crate::domain::feature::Feature;
use crate::domain::pipeline::Pipeline;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::experiments::records;
use crate::store::resources::{environments, pipelines};

/// Moves a feature to the next phase of its pipeline. No targeting changes by that. With `from_environment`, the environment
/// of the phase that the caller saw, a feature that has moved since is left alone.
///
/// # Errors
/// [`AppError::UnknownReference`] for an unknown environment; [`AppError::NoSuchStep`] without a pipeline, in its last phase, or in
/// another phase than the caller saw;
/// [`AppError::Forbidden`] when the next phase is in production and the actor may not change that;
/// [`AppError::ExperimentState`] while a guard holds the phase.
pub async fn next_phase(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    from_environment: Option<Key>,
) -> Result<FeatureDetails> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let before = find(connection, &project, key).await?;
    let pipeline = match &before.pipeline_id {
        None => None,
        Some(id) => pipelines::get(connection, id).await?,
    };
    if let Some(expected) = &from_environment {
        let known = resources::environments::find(connection, &project, expected.as_str()).await;
        known.map_err(|error| error.of_reference("/fromEnvironmentKey"))?;
    }
    let Some(pipeline) = pipeline else {
        let detail = format!("'{key}' is in no release pipeline. Assign it to one first.");
        return Err(AppError::NoSuchStep(detail));
    };
    let Some(place) = place(&pipeline, &before) else {
        let detail = format!("The pipeline '{}' of '{key}' has no phases. Give it some first.", pipeline.key);
        return Err(AppError::NoSuchStep(detail));
    };
    if let (Some(expected), Some(phase)) = (from_environment, pipeline.phases.get(place)) {
        let environment = environments::get(connection, &phase.environment_id).await?;
        if environment.is_none_or(|environment| environment.key != expected) {
            let detail =
                format!("'{key}' has moved since: it is in the phase '{}'. Read it again, then decide.", phase.name);
            return Err(AppError::NoSuchStep(detail));
        }
    }
    let Some(next) = pipeline.phases.get(place + 1) else {
        let detail =
            format!("'{key}' is in the last phase of the pipeline '{}'. Add another phase first.", pipeline.key);
        return Err(AppError::NoSuchStep(detail));
    };
    if environments::get(connection, &next.environment_id).await?.is_some_and(|environment| environment.production) {
        operation.actor.require(Role::ProductionEditor)?;
    }
    check_guards(connection, &pipeline, &before).await?;
    let after = moved(&before, Some(next.environment_id.clone()));
    let plan = Plan::record(project, before, after, "feature.next-phase");
    submit(operation, &plan, ApprovalMode::Unsupported).await?;
    describe(operation.write.connection().await?, plan.after).await
}

/// Refuses to leave a phase in which a guard has tripped, until somebody has looked at its experiment and stopped it.
async fn check_guards(connection: &mut Connection, pipeline: &Pipeline, feature: &Feature) -> Result<()> {
    let Some(phase) = current(pipeline, feature) else { return Ok(()) };
    let running = records::running_with_feature(connection, &phase.environment_id, &feature.id).await?;
    let Some((experiment, trip)) = running.as_ref().and_then(|one| Some((one, one.guard_trips.first()?))) else {
        return Ok(());
    };
    let (feature, phase, experiment, control) =
        (&feature.key, &phase.name, &experiment.key, &experiment.design.control);
    let GuardTrip { goal, variant, .. } = trip;
    Err(AppError::ExperimentState(format!(
        "'{feature}' stays in the phase '{phase}': a guard of its experiment '{experiment}' has tripped, because '{goal}' is worse with \
         '{variant}' than with '{control}'. Stop the experiment, then move the feature."
    )))
}
