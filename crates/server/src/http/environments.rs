//! `/api/v1/projects/{projectKey}/environments`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use super::caller::{Administrator, Reader};
use super::json::Json;
use super::list::List;
use super::problem::Problem;
use crate::app::environments::Environment;
use crate::app::{App, environments};

/// An environment.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentView {
    id: String,
    key: Key,
    name: String,
    production: bool,
    /// Raised by each change of the environment.
    version: u64,
}

impl From<Environment> for EnvironmentView {
    fn from(environment: Environment) -> Self {
        Self {
            id: environment.id.to_string(),
            key: environment.key,
            name: environment.name,
            production: environment.production,
            version: environment.version,
        }
    }
}

/// What creates an environment.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEnvironment {
    key: Key,
    name: String,
    #[serde(default)]
    production: bool,
}

/// `GET /api/v1/projects/{projectKey}/environments`
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
) -> Result<axum::Json<List<EnvironmentView>>, Problem> {
    Ok(axum::Json(List::of(
        environments::list(&app, &caller, &project).await?,
        EnvironmentView::from,
    )))
}

/// `POST /api/v1/projects/{projectKey}/environments`
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Path(project): Path<String>,
    Json(new): Json<NewEnvironment>,
) -> Result<(StatusCode, axum::Json<EnvironmentView>), Problem> {
    let new = environments::NewEnvironment {
        key: new.key,
        name: new.name,
        production: new.production,
    };
    let environment = environments::create(&app, &caller, &project, new).await?;
    Ok((StatusCode::CREATED, axum::Json(environment.into())))
}
