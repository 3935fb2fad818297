//! One log line for each request: the route, never the address, because an address may hold a key or a token.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use flagservice_core::wire::CLIENT_PATH;
use tower_http::request_id::RequestId;

/// Logs the request when its answer begins.
pub async fn log(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route =
        request.extensions().get::<MatchedPath>().map_or_else(|| "none".to_owned(), |path| path.as_str().to_owned());
    let id =
        request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).unwrap_or("").to_owned();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
    // Clients ask too often for a line each, unless something went wrong.
    if route.starts_with(CLIENT_PATH) && status < 400 {
        tracing::debug!(id, %method, route, status, milliseconds, "request");
    } else {
        tracing::info!(id, %method, route, status, milliseconds, "request");
    }
    response
}
