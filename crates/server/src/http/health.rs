//! Whether the service lives, and whether it is ready to serve.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::problem::Problem;
use crate::app::App;

/// `GET /health/live`: the process answers.
pub async fn live() -> axum::Json<Value> {
    axum::Json(json!({ "status": "live" }))
}

/// `GET /health/ready`: the environments are in memory and the database answers.
pub async fn ready(State(app): State<Arc<App>>) -> Result<axum::Json<Value>, Problem> {
    match app.store.ping().await {
        Ok(()) => Ok(axum::Json(json!({ "status": "ready" }))),
        Err(_) => Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not-ready",
            "The database does not answer. Evaluation goes on with what is known; writes will fail.",
        )),
    }
}
