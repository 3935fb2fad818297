//! One log line and one count for each request: the route, never the address, because an address may hold a key or a token.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use flagservice_core::wire::CLIENT_PATH;
use tower_http::request_id::RequestId;

use super::problem::Cause;
use super::trace;
use crate::app::App;

/// Logs the request when its answer begins.
pub async fn log(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route =
        request.extensions().get::<MatchedPath>().map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let id =
        request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).unwrap_or("").to_owned();
    let trace = trace::id(request.headers()).map(str::to_owned);
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let took = started.elapsed();
    app.metrics.request(method.as_str(), &route, status, took);
    if status == StatusCode::TOO_MANY_REQUESTS {
        app.metrics.rate_limited.inc();
    }
    let milliseconds = took.as_secs_f64() * 1000.0;
    if let Some(Cause(cause)) = response.extensions().get() {
        tracing::error!(id, trace, cause, "a request failed");
    }
    // Clients ask too often for a line each, unless something went wrong.
    if route.starts_with(CLIENT_PATH) && status < 400 {
        tracing::debug!(id, trace, %method, route, status, milliseconds, "request");
    } else {
        tracing::info!(id, trace, %method, route, status, milliseconds, "request");
    }
    response
}
