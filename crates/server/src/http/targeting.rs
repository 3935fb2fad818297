//! `/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}`: a feature's targeting.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue};
use flagservice_core::Key;
use flagservice_rules::{Rule, Targeting};
use serde::{Deserialize, Serialize};

use super::caller::{Reader, Writer};
use super::json::Json;
use super::problem::Problem;
use super::version::{IfMatch, etag};
use crate::app::targeting::StoredTargeting;
use crate::app::{App, targeting};

/// A targeting with its version.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetingView {
    #[serde(flatten)]
    targeting: Targeting,
    version: u64,
}

/// What changes a targeting; what is left out stays.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetingEdit {
    enabled: Option<bool>,
    off_variant_key: Option<Key>,
    rules: Option<Vec<Rule>>,
}

type Address = Path<(String, String, String)>;
type Answer = Result<([(HeaderName, HeaderValue); 1], axum::Json<TargetingView>), Problem>;

fn answer(stored: StoredTargeting) -> Answer {
    let StoredTargeting {
        targeting, version, ..
    } = stored;
    Ok((
        etag(version),
        axum::Json(TargetingView { targeting, version }),
    ))
}

/// `GET` the targeting.
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature, environment)): Address,
) -> Answer {
    answer(targeting::read(&app, &caller, &project, &feature, &environment).await?)
}

/// `PUT` all of the targeting.
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature, environment)): Address,
    IfMatch(seen): IfMatch,
    Json(whole): Json<Targeting>,
) -> Answer {
    answer(
        targeting::update(
            &app,
            &caller,
            (&project, &feature, &environment),
            whole.into(),
            seen,
        )
        .await?,
    )
}

/// `PATCH` parts of the targeting.
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature, environment)): Address,
    IfMatch(seen): IfMatch,
    Json(edit): Json<TargetingEdit>,
) -> Answer {
    let edit = targeting::TargetingEdit {
        enabled: edit.enabled,
        off_variant: edit.off_variant_key,
        rules: edit.rules,
    };
    answer(
        targeting::update(
            &app,
            &caller,
            (&project, &feature, &environment),
            edit,
            seen,
        )
        .await?,
    )
}
