//! Logs and counts each request, with its route and never its URL, which may contain a key or a token.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use flagservice_core::wire::{CLIENT_PATH, OFREP_PATH};

use crate::http::middleware::request_id::RequestId;
use crate::http::middleware::trace;
use crate::http::problem::Cause;
use crate::metrics::Metrics;

/// The log line of a request without a response yet.
pub struct RequestLog {
    started: Instant,
    method: Method,
    route: Option<MatchedPath>,
    trace: Option<String>,
}

impl RequestLog {
    /// Starts the clock.
    pub fn start(request: &Request) -> Self {
        let route = request.extensions().get::<MatchedPath>().cloned();
        let trace = trace::trace_id(request.headers()).map(str::to_owned);
        Self { started: Instant::now(), method: request.method().clone(), route, trace }
    }

    /// Logs and counts the request when its response begins.
    pub fn finish(self, id: &RequestId, metrics: &Metrics, response: &Response) {
        let route = self.route.as_ref().map_or("none", MatchedPath::as_str);
        let (id, trace, method, status) = (id.text(), self.trace, self.method, response.status().as_u16());
        let took = self.started.elapsed();
        metrics.request(method.as_str(), route, status, took);
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            metrics.rate_limited.inc();
        }
        let milliseconds = took.as_secs_f64() * 1000.0;
        if let Some(Cause(cause)) = response.extensions().get() {
            tracing::error!(id, trace, cause, "request failed");
        }
        // Clients send too many requests to log each successful one.
        if (route.starts_with(CLIENT_PATH) || route.starts_with(OFREP_PATH)) && status < 400 {
            tracing::debug!(id, trace, %method, route, status, milliseconds, "request");
        } else {
            tracing::info!(id, trace, %method, route, status, milliseconds, "request");
        }
    }
}
