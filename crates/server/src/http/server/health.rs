//! Health checks: liveness and readiness.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::App;
use crate::http::problem::Problem;

/// What a node says of a database that is busy. It stays ready: its requests are answered, some of them with 503.
const BUSY: &str = "The database is busy: requests have waited in vain for a connection within the last 10 s.";

/// The query of load balancers that need only evaluation.
const ACCEPT_DEGRADED: &str = "accept=degraded";

/// `GET /health/live`: the process answers.
pub async fn live() -> axum::Json<Value> {
    axum::Json(json!({ "status": "live" }))
}

/// `GET /health/ready`: the environments are in memory and the database answers, be it slowly. With `?accept=degraded`, for a balancer in
/// front of clients, evaluation alone is enough.
pub async fn ready(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<axum::Json<Value>, Problem> {
    if app.drain.is_stopping() {
        let detail = "This node is stopping. Use another node.";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail));
    }
    let Some(lost) = app.database_lost_for() else {
        let ready = json!({ "status": "ready" });
        return Ok(axum::Json(if app.is_database_busy() {
            json!({ "status": "ready", "reason": BUSY })
        } else {
            ready
        }));
    };
    let seconds = lost.as_secs();
    let reason = format!(
        "The database has been unavailable for {seconds} s. Evaluation and streams use the last known state; writes fail."
    );
    if query.is_some_and(|query| query.split('&').any(|part| part == ACCEPT_DEGRADED)) {
        return Ok(axum::Json(json!({ "status": "degraded", "reason": reason })));
    }
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "degraded", reason))
}
