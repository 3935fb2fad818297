//! `GET /metrics`: the metrics of this node, for Prometheus.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::{App, AppError, metrics};
use crate::http::problem::Problem;

/// The path of the metrics.
pub const PATH: &str = "/metrics";

/// The type of the text.
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The timeout for metrics that come from the database.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(1);

/// A router for the metrics alone, for an address that only operators can reach.
pub fn router(app: Arc<App>) -> Router {
    Router::new().route(PATH, get(read)).with_state(app)
}

/// Returns the metrics.
pub async fn read(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let stored = tokio::time::timeout(DATABASE_TIMEOUT, metrics::stored(&app)).await;
    let reading = metrics::reading(&app, stored.ok().and_then(Result::ok));
    let text = app.metrics.text(&reading).map_err(|error| AppError::Internal(error.into()))?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}
