//! `/api/v1/projects/{projectKey}/environments`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::{environments, removal};
use crate::app::{App, Edit, Name, Operation};
use crate::domain::environment::Environment;
use crate::http::extract::caller::{Administrator, Reader};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::Json;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// An environment.
#[derive(Serialize, ToSchema)]
#[schema(as = Environment)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentView {
    id: String,
    key: Key,
    name: String,
    /// Changing targeting here requires the production editor role.
    production: bool,
    /// Every targeting change here needs approval.
    approval_required: bool,
    /// Origins allowed to use client keys. Empty if all are allowed.
    allowed_origins: Vec<String>,
    /// Increases with each change of what clients get.
    version: u64,
}

impl From<Environment> for EnvironmentView {
    fn from(environment: Environment) -> Self {
        Self {
            id: environment.id.to_string(),
            key: environment.key,
            name: environment.name,
            production: environment.production,
            approval_required: environment.approval_required,
            allowed_origins: environment.allowed_origins,
            version: environment.version,
        }
    }
}

fn versioned(environment: Environment) -> Versioned<EnvironmentView> {
    Versioned { version: environment.revision, view: environment.into() }
}

/// The fields of a new environment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEnvironment {
    key: Key,
    name: Name,
    #[serde(default)]
    production: bool,
    #[serde(default)]
    approval_required: bool,
    /// Origins allowed to use client keys, as browsers send them, such as `https://shop.example`. Empty if all are allowed.
    #[serde(default)]
    #[schema(max_items = 100)]
    allowed_origins: Vec<String>,
}

/// Changes to an environment. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvironmentEdit {
    name: Option<Name>,
    production: Option<bool>,
    approval_required: Option<bool>,
    /// Origins allowed to use client keys, as browsers send them, at most 100 or as many as there are. Empty if all are allowed.
    allowed_origins: Option<Vec<String>>,
}

/// Lists the project's environments in their order.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments",
    operation_id = "listEnvironments",
    tag = "Environments",
    params(("projectKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<EnvironmentView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<EnvironmentView>>, Problem> {
    Ok(List::from_page(environments::list(&app, &caller, &project, &query.page()?).await?, EnvironmentView::from))
}

/// Creates an environment. Targeting of every feature is off in it, with the off variant that all other environments have.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments",
    operation_id = "createEnvironment",
    tag = "Environments",
    params(("projectKey" = Key, Path), IdempotencyKey),
    request_body = NewEnvironment,
    responses((status = 201, body = EnvironmentView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(project): Path<String>,
    Once { body, request }: Once<NewEnvironment>,
) -> Result<Response, Problem> {
    let new = environments::NewEnvironment {
        key: body.key,
        name: body.name,
        production: body.production,
        approval_required: body.approval_required,
        allowed_origins: body.allowed_origins,
    };
    once(&app, &caller, request, async |mut operation| {
        let environment = environments::create(&mut operation, &project, new).await?;
        Reply::created(operation, versioned(environment))
    })
    .await
}

/// Reads an environment.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}",
    operation_id = "readEnvironment",
    tag = "Environments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path)),
    responses((status = 200, body = EnvironmentView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, key)): Path<(String, String)>,
) -> Result<Versioned<EnvironmentView>, Problem> {
    Ok(versioned(environments::read(&app, &caller, &project, &key).await?))
}

/// Changes an environment.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}/environments/{environmentKey}",
    operation_id = "updateEnvironment",
    tag = "Environments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), IfMatch),
    request_body = EnvironmentEdit,
    responses((status = 200, body = EnvironmentView)),
    security(("personalAccessToken" = ["administrator"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path((project, key)): Path<(String, String)>,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<EnvironmentEdit>,
) -> Result<Versioned<EnvironmentView>, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    let fields = environments::EnvironmentEdit {
        name: edit.name,
        production: edit.production,
        approval_required: edit.approval_required,
        allowed_origins: edit.allowed_origins,
    };
    let environment = environments::update(&mut operation, &project, &key, Edit { fields, if_match }).await?;
    operation.commit().await?;
    Ok(versioned(environment))
}

/// Deletes an environment with its targeting, keys and goals. Production environments can't be deleted.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/environments/{environmentKey}",
    operation_id = "deleteEnvironment",
    tag = "Environments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), IfMatch),
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
    removal::delete_environment(&mut operation, &project, &key, if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
