//! The routes of an edge: what clients, SDKs and other edges reach, health checks and metrics.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::error::AppError;
use crate::http::middleware::handle_request;
use crate::http::problem::{Problem, no_such_method, no_such_path};
use crate::http::server::health::{ACCEPT_DEGRADED, live};
use crate::http::server::metrics::OPEN_METRICS;
use crate::http::server::settings::Settings;
use crate::http::site::no_wasm_core;
use crate::http::{edge, sdk};
use crate::metrics::EdgeReading;
use crate::serving::Serving;
use crate::serving::upstream_health::UpstreamHealth;

/// What health checks and metrics tell.
#[derive(Clone)]
pub struct EdgeStatus {
    /// What serves.
    pub serving: Arc<Serving>,
    /// How the edge stands with its upstream.
    pub health: Arc<UpstreamHealth>,
    /// How many files of goals wait for the upstream.
    pub reports_waiting: Arc<dyn Fn() -> usize + Send + Sync>,
}

/// All routes of an edge.
pub fn router(serving: &Arc<Serving>, status: &EdgeStatus, settings: &Settings) -> Router {
    let mut router = Router::new().route("/health/live", get(live)).route("/health/ready", get(ready));
    if settings.metrics {
        router = router.route("/metrics", get(metrics));
    }
    router
        .merge(sdk::router(serving, settings))
        .merge(edge::router(serving))
        .merge(no_wasm_core::router(serving))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state((Arc::clone(serving), settings.request_timeout), handle_request))
        .with_state(status.clone())
}

/// A router for the metrics alone.
pub fn metrics_router(status: EdgeStatus) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(status)
}

/// `GET /health/ready`: the edge has everything that its upstream has. With `?accept=degraded`, it only has to serve something.
async fn ready(State(status): State<EdgeStatus>, RawQuery(query): RawQuery) -> Result<Json<Value>, Problem> {
    if status.serving.node.drain.is_stopping() {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "stopping",
            "This node is stopping. Use another node.",
        ));
    }
    let environments = status.serving.snapshots.environments().len();
    let age = status.health.age().map(|age| age.as_secs());
    if status.health.is_current() {
        return Ok(Json(json!({ "status": "ready", "environments": environments, "ageSeconds": age })));
    }
    let reason = match age {
        _ if status.health.is_key_refused() => {
            "The upstream does not know the edge key: it is wrong, or was revoked. This edge serves nothing.".to_owned()
        }
        _ if environments == 0 => "This edge has no environment yet: its upstream has not sent any.".to_owned(),
        Some(age) => {
            format!("The last message of the upstream came {age} s ago. Clients are served from the last known state.")
        }
        None => "The upstream has not responded yet. Clients are served from the last known state.".to_owned(),
    };
    if environments > 0 && query.is_some_and(|query| query.split('&').any(|part| part == ACCEPT_DEGRADED)) {
        let body = json!({ "status": "degraded", "reason": reason, "environments": environments, "ageSeconds": age });
        return Ok(Json(body));
    }
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "degraded", reason))
}

/// `GET /metrics`.
async fn metrics(State(status): State<EdgeStatus>) -> Result<Response, Problem> {
    let EdgeStatus { serving, health, reports_waiting } = status;
    let version = |id| serving.snapshots.current(&id).map(|published| (id, published.snapshot.version));
    let reading = EdgeReading {
        is_current: health.is_current(),
        age: health.age(),
        reports_waiting: reports_waiting(),
        versions: serving.snapshots.environments().into_iter().filter_map(version).collect(),
    };
    let text = serving.metrics.edge_text(&reading).map_err(|error| AppError::Internal(error.into()))?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}
