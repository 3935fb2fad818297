//! Health checks: liveness and readiness.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::http::problem::Problem;
use crate::http::server::settings::Settings;

/// What a node says of a database that is busy. It stays ready: its requests are answered, some of them with 503.
const BUSY: &str = "The database is busy: requests have waited in vain for a connection within the last 10 s.";

/// The query of load balancers that need only evaluation.
pub const ACCEPT_DEGRADED: &str = "accept=degraded";

/// The state of a node that serves.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Readiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The stored rows that cannot be read. Everything else is served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<StoredRow>,
}

/// A row of the database.
#[derive(Serialize)]
struct StoredRow {
    table: &'static str,
    key: String,
}

/// The routes of the health checks.
pub fn router(settings: &Settings) -> Router<Arc<App>> {
    let max_snapshot_age = settings.max_snapshot_age;
    let ready = move |State(app): State<Arc<App>>, RawQuery(query): RawQuery| async move {
        ready(&app, query.as_deref(), max_snapshot_age)
    };
    Router::new().route("/health/live", get(live)).route("/health/ready", get(ready))
}

/// `GET /health/live`: the process answers.
pub async fn live() -> Json<Value> {
    Json(json!({ "status": "live" }))
}

/// `GET /health/ready`: the environments are in memory and current, and the database answers, be it slowly. With
/// `?accept=degraded`, for a balancer in front of clients, evaluation alone is enough.
fn ready(app: &App, query: Option<&str>, max_snapshot_age: Duration) -> Result<Json<Readiness>, Problem> {
    if app.node.drain.is_stopping() {
        let detail = "This node is stopping. Use another node.";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail));
    }
    let set_aside = app.set_aside.list().into_iter().map(|(table, key)| StoredRow { table, key }).collect();
    let Some(reason) = degraded(app, max_snapshot_age) else {
        let reason = app.is_database_busy().then(|| BUSY.to_owned());
        return Ok(Json(Readiness { status: "ready", reason, set_aside }));
    };
    if query.is_some_and(|query| query.split('&').any(|part| part == ACCEPT_DEGRADED)) {
        return Ok(Json(Readiness { status: "degraded", reason: Some(reason), set_aside }));
    }
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "degraded", reason))
}

/// Why the node only evaluates, by what it has in memory.
fn degraded(app: &App, max_snapshot_age: Duration) -> Option<String> {
    if let Some(lost) = app.database_lost_for() {
        let seconds = lost.as_secs();
        return Some(format!(
            "The database has been unavailable for {seconds} s. Evaluation and streams use the last known state; writes fail."
        ));
    }
    let seconds = Some(app.snapshot_age()).filter(|age| *age > max_snapshot_age)?.as_secs();
    Some(format!(
        "Changes have not been read from the database for {seconds} s. Evaluation and streams use the last known state."
    ))
}
