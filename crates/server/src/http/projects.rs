//! `/api/v1/projects`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use super::caller::{Administrator, Reader};
use super::json::Json;
use super::list::List;
use super::problem::Problem;
use crate::app::projects::Project;
use crate::app::{App, projects};

/// A project.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectView {
    key: Key,
    name: String,
}

impl From<Project> for ProjectView {
    fn from(project: Project) -> Self {
        Self {
            key: project.key,
            name: project.name,
        }
    }
}

/// What creates a project.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProject {
    key: Key,
    name: String,
}

/// `GET /api/v1/projects`
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
) -> Result<axum::Json<List<ProjectView>>, Problem> {
    Ok(axum::Json(List::of(
        projects::list(&app, &caller).await?,
        ProjectView::from,
    )))
}

/// `POST /api/v1/projects`
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Administrator,
    Json(new): Json<NewProject>,
) -> Result<(StatusCode, axum::Json<ProjectView>), Problem> {
    let project = projects::create(&app, &caller, new.key, new.name).await?;
    Ok((StatusCode::CREATED, axum::Json(project.into())))
}
