//! `/api/v1/projects/{projectKey}/features`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use super::caller::{Reader, Writer};
use super::json::Json;
use super::list::List;
use super::problem::Problem;
use crate::app::features::Feature;
use crate::app::{App, features};
use crate::lifecycle::Lifecycle;

/// A feature.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureView {
    key: Key,
    name: String,
    description: String,
    lifecycle: Lifecycle,
    variants: Vec<Key>,
}

impl From<Feature> for FeatureView {
    fn from(feature: Feature) -> Self {
        Self {
            key: feature.key,
            name: feature.name,
            description: feature.description,
            lifecycle: feature.lifecycle,
            variants: feature.variants,
        }
    }
}

/// What creates a feature.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewFeature {
    key: Key,
    name: String,
    #[serde(default)]
    description: String,
    variants: Option<Vec<Key>>,
    #[serde(default = "draft")]
    lifecycle: Lifecycle,
}

fn draft() -> Lifecycle {
    Lifecycle::Draft
}

/// What changes a feature.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeatureEdit {
    name: Option<String>,
    description: Option<String>,
    lifecycle: Option<Lifecycle>,
}

/// `GET /api/v1/projects/{projectKey}/features`
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
) -> Result<axum::Json<List<FeatureView>>, Problem> {
    Ok(axum::Json(List::of(
        features::list(&app, &caller, &project).await?,
        FeatureView::from,
    )))
}

/// `GET /api/v1/projects/{projectKey}/features/{featureKey}`
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature)): Path<(String, String)>,
) -> Result<axum::Json<FeatureView>, Problem> {
    Ok(axum::Json(
        features::read(&app, &caller, &project, &feature)
            .await?
            .into(),
    ))
}

/// `POST /api/v1/projects/{projectKey}/features`
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(project): Path<String>,
    Json(new): Json<NewFeature>,
) -> Result<(StatusCode, axum::Json<FeatureView>), Problem> {
    let new = features::NewFeature {
        key: new.key,
        name: new.name,
        description: new.description,
        variants: new.variants,
        lifecycle: new.lifecycle,
    };
    let feature = features::create(&app, &caller, &project, new).await?;
    Ok((StatusCode::CREATED, axum::Json(feature.into())))
}

/// `PATCH /api/v1/projects/{projectKey}/features/{featureKey}`
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature)): Path<(String, String)>,
    Json(edit): Json<FeatureEdit>,
) -> Result<axum::Json<FeatureView>, Problem> {
    let edit = features::FeatureEdit {
        name: edit.name,
        description: edit.description,
        lifecycle: edit.lifecycle,
    };
    Ok(axum::Json(
        features::update(&app, &caller, &project, &feature, edit)
            .await?
            .into(),
    ))
}
