//! `…/experiments/{experimentKey}/{start,stop}`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Address, ExperimentView, reference};
use crate::app::experiments::lifecycle::{self, NewDecision};
use crate::app::{App, Comment};
use crate::http::extract::caller::Writer;
use crate::http::extract::idempotency::{IdempotencyKey, Once, OnceWithoutBody, Reply, once};
use crate::http::extract::parameters::Path;
use crate::http::problem::Problem;

/// What is decided when an experiment is stopped.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExperimentDecision {
    /// The variant to keep. Leave it out if the experiment shows nothing. Targeting stays as it is.
    decision_variant_key: Option<Key>,
    /// Why.
    note: Option<Comment>,
}

/// Starts a draft. From now on clients report which users take part, and goals of participants count.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/start",
    operation_id = "startExperiment",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("experimentKey" = Key, Path), IdempotencyKey),
    responses((status = 200, body = ExperimentView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn start(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(address): Address,
    OnceWithoutBody(request): OnceWithoutBody,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let started = lifecycle::start(&mut operation, reference(&address)).await?;
        let version = Some(started.revision);
        Reply::json(operation, StatusCode::OK, version, &ExperimentView::from(started))
    })
    .await
}

/// Stops a running experiment with a decision. Targeting stays as it is.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/stop",
    operation_id = "stopExperiment",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("experimentKey" = Key, Path), IdempotencyKey),
    request_body = ExperimentDecision,
    responses((status = 200, body = ExperimentView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn stop(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(address): Address,
    Once { body, request }: Once<ExperimentDecision>,
) -> Result<Response, Problem> {
    let decision = NewDecision { variant: body.decision_variant_key, note: body.note };
    once(&app, &caller, request, async |mut operation| {
        let stopped = lifecycle::stop(&mut operation, reference(&address), decision).await?;
        let version = Some(stopped.revision);
        Reply::json(operation, StatusCode::OK, version, &ExperimentView::from(stopped))
    })
    .await
}
