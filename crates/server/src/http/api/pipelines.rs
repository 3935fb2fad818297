//! `/api/v1/projects/{projectKey}/pipelines`: release pipelines.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::pipelines::{self, PipelineDetails};
use crate::app::{App, Edit, Name, Operation};
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// A phase of a pipeline.
#[derive(Serialize, ToSchema)]
#[schema(as = Phase)]
#[serde(rename_all = "camelCase")]
pub struct PhaseView {
    name: String,
    environment_key: Key,
    /// Targeting changes in the phase's environment need approval.
    approval_required: bool,
}

/// A phase of a pipeline to write.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPhase {
    name: Name,
    environment_key: Key,
    #[serde(default)]
    approval_required: bool,
}

impl From<NewPhase> for pipelines::NewPhase {
    fn from(phase: NewPhase) -> Self {
        Self { name: phase.name, environment: phase.environment_key, approval_required: phase.approval_required }
    }
}

/// A release pipeline.
#[derive(Serialize, ToSchema)]
#[schema(as = Pipeline)]
pub struct PipelineView {
    key: Key,
    name: String,
    /// In the order in which features go through them.
    phases: Vec<PhaseView>,
}

impl From<PipelineDetails> for PipelineView {
    fn from(PipelineDetails { pipeline, environments }: PipelineDetails) -> Self {
        let phase = |phase: crate::domain::pipeline::Phase| {
            let environment = environments.iter().find(|environment| environment.id == phase.environment_id)?;
            Some(PhaseView {
                name: phase.name,
                environment_key: environment.key.clone(),
                approval_required: phase.approval_required,
            })
        };
        Self { key: pipeline.key, name: pipeline.name, phases: pipeline.phases.into_iter().filter_map(phase).collect() }
    }
}

fn versioned(described: PipelineDetails) -> Versioned<PipelineView> {
    Versioned { version: described.pipeline.revision, view: described.into() }
}

/// The fields of a new pipeline.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPipeline {
    key: Key,
    name: Name,
    /// At least one, in the order in which features go through them.
    #[schema(min_items = 1)]
    phases: Vec<NewPhase>,
}

/// Changes to a pipeline. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PipelineEdit {
    name: Option<Name>,
    /// At least one.
    #[schema(min_items = 1)]
    phases: Option<Vec<NewPhase>>,
}

fn phases(phases: Vec<NewPhase>) -> Vec<pipelines::NewPhase> {
    phases.into_iter().map(pipelines::NewPhase::from).collect()
}

/// Lists the project's pipelines by key.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/pipelines",
    operation_id = "listPipelines",
    tag = "Pipelines",
    params(("projectKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<PipelineView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<PipelineView>>, Problem> {
    Ok(List::from_page(pipelines::list(&app, &caller, &project, &query.page()?).await?, PipelineView::from))
}

/// Creates a pipeline.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/pipelines",
    operation_id = "createPipeline",
    tag = "Pipelines",
    params(("projectKey" = Key, Path), IdempotencyKey),
    request_body = NewPipeline,
    responses((status = 201, body = PipelineView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(project): Path<String>,
    Once { body, request }: Once<NewPipeline>,
) -> Result<Response, Problem> {
    let new = pipelines::NewPipeline { key: body.key, name: body.name, phases: phases(body.phases) };
    once(&app, &caller, request, async |mut operation| {
        let described = pipelines::create(&mut operation, &project, new).await?;
        Reply::created(operation, versioned(described))
    })
    .await
}

/// Reads a pipeline.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/pipelines/{pipelineKey}",
    operation_id = "readPipeline",
    tag = "Pipelines",
    params(("projectKey" = Key, Path), ("pipelineKey" = Key, Path)),
    responses((status = 200, body = PipelineView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, key)): Path<(String, String)>,
) -> Result<Versioned<PipelineView>, Problem> {
    Ok(versioned(pipelines::read(&app, &caller, &project, &key).await?))
}

/// Changes a pipeline. Features in a removed phase move back to the nearest earlier phase.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}/pipelines/{pipelineKey}",
    operation_id = "updatePipeline",
    tag = "Pipelines",
    params(("projectKey" = Key, Path), ("pipelineKey" = Key, Path), IfMatch),
    request_body = PipelineEdit,
    responses((status = 200, body = PipelineView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, key)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<PipelineEdit>,
) -> Result<Versioned<PipelineView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let fields = pipelines::PipelineEdit { name: edit.name, phases: edit.phases.map(phases) };
    let described = pipelines::update(&mut operation, &project, &key, Edit { fields, if_match }).await?;
    operation.commit().await?;
    Ok(versioned(described))
}

/// Deletes a pipeline that has no features.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/pipelines/{pipelineKey}",
    operation_id = "deletePipeline",
    tag = "Pipelines",
    params(("projectKey" = Key, Path), ("pipelineKey" = Key, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, key)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    pipelines::delete(&mut operation, &project, &key, if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
