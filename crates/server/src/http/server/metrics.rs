//! `GET /metrics`: what this node counts, as Prometheus reads it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::{App, AppError, metrics};
use crate::http::problem::Problem;

/// Where the counters are read.
pub const PATH: &str = "/metrics";

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long the database may take to say how much waits in it.
const PATIENCE: Duration = Duration::from_secs(1);

/// The counters alone, for an address that only operators reach.
pub fn router(app: Arc<App>) -> Router {
    Router::new().route(PATH, get(read)).with_state(app)
}

/// Reads the counters.
pub async fn read(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let stored = tokio::time::timeout(PATIENCE, metrics::stored(&app)).await;
    let reading = metrics::reading(&app, stored.ok().and_then(Result::ok));
    let text = app.metrics.text(&reading).map_err(|error| AppError::Internal(error.into()))?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}
