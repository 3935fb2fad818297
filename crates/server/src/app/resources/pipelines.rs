//! Release pipelines: ordered phases, each in an environment, some of which require approval.

use flagservice_core::Key;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::resources::{environments, phases, projects};
use crate::app::{Actor, App, AppError, Edit, IfMatch, Name, Operation, Page, Paged, Result};
use crate::domain::environment::Environment;
use crate::domain::ids::PipelineId;
use crate::domain::pipeline::{Phase, Pipeline};
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::resources::{features, pipelines};

/// The fields of a new pipeline.
pub struct NewPipeline {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// In their order.
    pub phases: Vec<NewPhase>,
}

/// The fields of a pipeline to change; `None` keeps one as it is.
pub struct PipelineEdit {
    /// Another name.
    pub name: Option<Name>,
    /// Other phases.
    pub phases: Option<Vec<NewPhase>>,
}

/// A phase as callers name it.
pub struct NewPhase {
    /// For people.
    pub name: Name,
    /// The key of its environment.
    pub environment: Key,
    /// Whether a change of targeting there is held for approval.
    pub approval_required: bool,
}

/// A pipeline, with the project's environments, by which its phases can be named.
pub struct PipelineDetails {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// All of the project's.
    pub environments: Vec<Environment>,
}

/// The project's pipelines, by key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str, page: &Page) -> Result<Paged<PipelineDetails>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let environments = crate::store::resources::environments::list(connection, &project.id).await?;
    let pipelines = pipelines::list(connection, &project.id, &page.after, page.fetch()).await?;
    let Paged { items, next_cursor } = page.paginate(pipelines, |pipeline| pipeline.key.as_str());
    let described = |pipeline| PipelineDetails { pipeline, environments: environments.clone() };
    Ok(Paged { items: items.into_iter().map(described).collect(), next_cursor })
}

/// The project's pipeline of that key.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, key: &str) -> Result<PipelineDetails> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let pipeline = find(connection, &project, key).await?;
    describe(connection, &project, pipeline).await
}

pub(in crate::app) async fn find(connection: &mut Connection, project: &Project, key: &str) -> Result<Pipeline> {
    let pipeline = pipelines::find(connection, &project.id, key).await?;
    pipeline.ok_or_else(|| AppError::not_found("pipeline", key))
}

/// The pipeline that `pipelineKey` of a body names.
pub(in crate::app) async fn referred(connection: &mut Connection, project: &Project, key: &Key) -> Result<Pipeline> {
    find(connection, project, key.as_str()).await.map_err(|error| error.of_reference("/pipelineKey"))
}

async fn describe(connection: &mut Connection, project: &Project, pipeline: Pipeline) -> Result<PipelineDetails> {
    let environments = crate::store::resources::environments::list(connection, &project.id).await?;
    Ok(PipelineDetails { pipeline, environments })
}

/// Creates a pipeline.
///
/// # Errors
/// [`AppError::Exists`] for a key that is taken, [`AppError::UnknownReference`] for an unknown environment,
/// [`AppError::Invalid`] without a phase.
pub async fn create(operation: &mut Operation<'_>, project: &str, new: NewPipeline) -> Result<PipelineDetails> {
    check_phases(&new.phases)?;
    import(operation, project, new).await
}

/// Creates a pipeline from a document. Those of earlier releases may have no phases.
///
/// # Errors
/// Those of [`create`], except for a pipeline without a phase.
pub async fn import(operation: &mut Operation<'_>, project: &str, new: NewPipeline) -> Result<PipelineDetails> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    if pipelines::find(connection, &project.id, new.key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "pipeline", key: new.key.to_string() });
    }
    let phases = resolve(connection, &project, new.phases).await?;
    let now = operation.app.now();
    let id = PipelineId::new(&*operation.app.random, now);
    let (project_id, name) = (project.id.clone(), new.name.into());
    let pipeline = Pipeline { id, project_id, key: new.key, name, phases, revision: revision::first(now) };
    pipelines::insert(connection, &pipeline, now).await?;
    record_pipeline_audit(operation, "pipeline.create", &project, BeforeAfter::created(&pipeline)).await?;
    describe(operation.write.connection().await?, &project, pipeline).await
}

/// Changes a pipeline's name or phases. A feature whose phase is gone goes back to the nearest earlier one.
///
/// # Errors
/// Those of [`create`], and [`AppError::Stale`] when it changed since the caller saw it.
pub async fn update(
    operation: &mut Operation<'_>,
    project: &str,
    key: &str,
    Edit { fields, if_match }: Edit<PipelineEdit>,
) -> Result<PipelineDetails> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let before = find(connection, &project, key).await?;
    revision::check(if_match, before.revision)?;
    let mut after = before.clone();
    after.name = fields.name.map_or(after.name, String::from);
    if let Some(phases) = fields.phases {
        check_phases(&phases)?;
        after.phases = resolve(connection, &project, phases).await?;
    }
    if after.name == before.name && after.phases == before.phases {
        return describe(connection, &project, before).await;
    }
    after.revision += 1;
    pipelines::update(connection, &after).await?;
    if after.phases != before.phases {
        phases::settle(operation, &project, &before, &after).await?;
    }
    record_pipeline_audit(operation, "pipeline.update", &project, BeforeAfter::updated(&before, &after)).await?;
    describe(operation.write.connection().await?, &project, after).await
}

/// Deletes a pipeline that no feature is assigned to.
///
/// # Errors
/// [`AppError::InUse`] names the features, [`AppError::Stale`] when it changed since the caller saw it.
pub async fn delete(operation: &mut Operation<'_>, project: &str, key: &str, if_match: IfMatch) -> Result<()> {
    operation.actor.require(Role::Administrator)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let pipeline = find(connection, &project, key).await?;
    revision::check(if_match, pipeline.revision)?;
    let mut features = features::list(connection, &project.id).await?;
    features.retain(|feature| feature.pipeline_id.as_ref() == Some(&pipeline.id));
    if !features.is_empty() {
        let names: Vec<_> = features.iter().map(|feature| feature.key.as_str()).collect();
        return Err(AppError::InUse(format!("The pipeline '{key}' has the features {}.", names.join(", "))));
    }
    remove(operation, &project, &pipeline).await
}

/// Removes a pipeline without features.
///
/// # Errors
/// When the database fails.
pub(super) async fn remove(operation: &mut Operation<'_>, project: &Project, pipeline: &Pipeline) -> Result<()> {
    pipelines::delete(operation.write.connection().await?, &pipeline.id).await?;
    record_pipeline_audit(operation, "pipeline.delete", project, BeforeAfter::deleted(pipeline)).await
}

/// A feature in a pipeline without phases could not move, and no phase would ask for approval.
fn check_phases(phases: &[NewPhase]) -> Result<()> {
    if phases.is_empty() {
        return Err(AppError::invalid("/phases", "A pipeline needs at least one phase. Add one."));
    }
    Ok(())
}

async fn resolve(connection: &mut Connection, project: &Project, phases: Vec<NewPhase>) -> Result<Vec<Phase>> {
    let mut resolved: Vec<Phase> = Vec::with_capacity(phases.len());
    for (index, phase) in phases.into_iter().enumerate() {
        let pointer = format!("/phases/{index}/environmentKey");
        let environment = environments::find(connection, project, phase.environment.as_str()).await;
        let environment = environment.map_err(|error| error.of_reference(&pointer))?;
        if resolved.iter().any(|earlier| earlier.environment_id == environment.id) {
            let detail =
                format!("A pipeline has each environment once, and '{}' is listed twice; remove one.", environment.key);
            return Err(AppError::invalid(&pointer, detail));
        }
        resolved.push(Phase {
            name: phase.name.into(),
            environment_id: environment.id,
            approval_required: phase.approval_required,
        });
    }
    Ok(resolved)
}

async fn record_pipeline_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    project: &Project,
    BeforeAfter { before, after }: BeforeAfter<'_, Pipeline>,
) -> Result<()> {
    let Some(pipeline) = after.or(before) else {
        return Ok(());
    };
    let state = |pipeline: &Pipeline| -> Value {
        json!({ "key": pipeline.key, "name": pipeline.name, "phases": pipeline.phases })
    };
    let resource = format!("projects/{}/pipelines/{}", project.key, pipeline.key);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}
