//! One log line for each request: the route, never the address, because an address may hold a key or a token.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use flagservice_core::wire::CLIENT_PATH;

use super::request_id::RequestId;

/// The line of a request that has no answer yet.
pub struct Line {
    started: Instant,
    method: Method,
    route: Option<MatchedPath>,
}

impl Line {
    /// Notes what asks, and when.
    pub fn begin(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().cloned();
        Self { started: Instant::now(), method: request.method().clone(), route }
    }

    /// Logs the request when its answer begins.
    pub fn end(self, id: &RequestId, status: StatusCode) {
        let route = self.route.as_ref().map_or("none", MatchedPath::as_str);
        let (id, method, status) = (id.text(), self.method, status.as_u16());
        let milliseconds = self.started.elapsed().as_secs_f64() * 1000.0;
        // Clients ask too often for a line each, unless something went wrong.
        if route.starts_with(CLIENT_PATH) && status < 400 {
            tracing::debug!(id, %method, route, status, milliseconds, "request");
        } else {
            tracing::info!(id, %method, route, status, milliseconds, "request");
        }
    }
}
