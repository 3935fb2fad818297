//! Whether the service lives, and whether it is ready to serve.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::App;
use crate::http::problem::Problem;

/// What a balancer adds that wants evaluation and nothing else.
const ACCEPT_DEGRADED: &str = "accept=degraded";

/// `GET /health/live`: the process answers.
pub async fn live() -> axum::Json<Value> {
    axum::Json(json!({ "status": "live" }))
}

/// `GET /health/ready`: the environments are in memory and the database answers. With `?accept=degraded`, for a balancer in
/// front of clients, evaluation alone is enough.
pub async fn ready(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<axum::Json<Value>, Problem> {
    if app.drain.is_stopping() {
        let detail = "This node is stopping. Turn to another one.";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail));
    }
    let Some(lost) = app.database_lost_for() else {
        return Ok(axum::Json(json!({ "status": "ready" })));
    };
    let seconds = lost.as_secs();
    let reason = format!(
        "The database has not answered for {seconds} s. Evaluation and streams go on with what is known; writes fail."
    );
    if query.is_some_and(|query| query.split('&').any(|part| part == ACCEPT_DEGRADED)) {
        return Ok(axum::Json(json!({ "status": "degraded", "reason": reason })));
    }
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "degraded", reason))
}
