//! `/api/v1/projects`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::{projects, removal};
use crate::app::{App, Name, Operation};
use crate::domain::project::Project;
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// A project.
#[derive(Serialize, ToSchema)]
#[schema(as = Project)]
pub struct ProjectView {
    key: Key,
    name: String,
}

impl From<Project> for ProjectView {
    fn from(project: Project) -> Self {
        Self { key: project.key, name: project.name }
    }
}

fn versioned(project: Project) -> Versioned<ProjectView> {
    Versioned { version: project.revision, view: project.into() }
}

/// The fields of a new project.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    key: Key,
    name: Name,
}

/// Changes to a project. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectEdit {
    name: Option<Name>,
}

/// Lists the organisation's projects by key.
#[utoipa::path(
    get,
    path = "/projects",
    operation_id = "listProjects",
    tag = "Projects",
    params(PageQuery),
    responses((status = 200, body = List<ProjectView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<ProjectView>>, Problem> {
    Ok(List::from_page(projects::list(&app, &caller, &query.page()?).await?, ProjectView::from))
}

/// Creates a project without environments.
#[utoipa::path(
    post,
    path = "/projects",
    operation_id = "createProject",
    tag = "Projects",
    params(IdempotencyKey),
    request_body = NewProject,
    responses((status = 201, body = ProjectView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Once { body, request }: Once<NewProject>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let project = projects::create(&mut operation, body.key, body.name).await?;
        Reply::created(operation, versioned(project))
    })
    .await
}

/// Reads a project.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}",
    operation_id = "readProject",
    tag = "Projects",
    params(("projectKey" = Key, Path)),
    responses((status = 200, body = ProjectView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(key): Path<String>,
) -> Result<Versioned<ProjectView>, Problem> {
    Ok(versioned(projects::read(&app, &caller, &key).await?))
}

/// Renames a project.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}",
    operation_id = "updateProject",
    tag = "Projects",
    params(("projectKey" = Key, Path), IfMatch),
    request_body = ProjectEdit,
    responses((status = 200, body = ProjectView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(key): Path<String>,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<ProjectEdit>,
) -> Result<Versioned<ProjectView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let project = projects::rename(&mut operation, &key, edit.name, if_match).await?;
    operation.commit().await?;
    Ok(versioned(project))
}

/// Deletes a project that has no environments and no features.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}",
    operation_id = "deleteProject",
    tag = "Projects",
    params(("projectKey" = Key, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(key): Path<String>,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    removal::delete_project(&mut operation, &key, if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
