//! `/api/v1/projects/{projectKey}/audiences`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use flagservice_core::Key;
use flagservice_rules::Condition;
use serde::{Deserialize, Serialize};

use super::caller::{Reader, Writer};
use super::json::Json;
use super::list::List;
use super::problem::Problem;
use crate::app::audiences::{Audience, AudienceScope};
use crate::app::{App, audiences};

/// A saved audience.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AudienceView {
    key: Key,
    name: String,
    /// The one environment that may use it; null: all of the project.
    environment_id: Option<String>,
    conditions: Vec<Condition>,
}

impl From<Audience> for AudienceView {
    fn from(audience: Audience) -> Self {
        let environment_id = match audience.scope {
            AudienceScope::Project => None,
            AudienceScope::Environment(id) => Some(id.to_string()),
        };
        Self {
            key: audience.key,
            name: audience.name,
            environment_id,
            conditions: audience.conditions,
        }
    }
}

/// What creates an audience.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAudience {
    key: Key,
    name: String,
    environment_key: Option<Key>,
    conditions: Vec<Condition>,
}

/// `GET /api/v1/projects/{projectKey}/audiences`
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
) -> Result<axum::Json<List<AudienceView>>, Problem> {
    Ok(axum::Json(List::of(
        audiences::list(&app, &caller, &project).await?,
        AudienceView::from,
    )))
}

/// `POST /api/v1/projects/{projectKey}/audiences`
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(project): Path<String>,
    Json(new): Json<NewAudience>,
) -> Result<(StatusCode, axum::Json<AudienceView>), Problem> {
    let new = audiences::NewAudience {
        key: new.key,
        name: new.name,
        environment: new.environment_key,
        conditions: new.conditions,
    };
    let audience = audiences::create(&app, &caller, &project, new).await?;
    Ok((StatusCode::CREATED, axum::Json(audience.into())))
}
