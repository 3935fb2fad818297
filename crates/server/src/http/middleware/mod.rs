//! Middleware for every request: request id, log line, CORS, timeout, and the response after a panic.
//!
//! It is a single layer, because each layer costs every request several allocations.

pub mod caller_limits;
pub mod compression;
pub mod cors;
mod request_id;
mod request_log;
mod request_timeout;
pub mod same_origin;
mod trace;
mod until_sent;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;

use crate::error::AppError;
use crate::http::middleware::cors::CorsPolicy;
use crate::http::middleware::request_id::RequestId;
use crate::http::middleware::request_log::RequestLog;
use crate::http::problem::Problem;
use crate::serving::Serving;

/// Handles a request.
pub async fn handle_request(
    State((serving, timeout)): State<(Arc<Serving>, Duration)>,
    request: Request,
    next: Next,
) -> Response {
    let id = RequestId::from_headers(request.headers(), &*serving.random);
    let log = RequestLog::start(&request);
    let cors = CorsPolicy::for_request(&request);
    let mut response = match cors {
        CorsPolicy::Preflight(_) => StatusCode::NO_CONTENT.into_response(),
        CorsPolicy::AnyOrigin | CorsPolicy::SameOrigin => {
            let response = request_timeout::with_timeout(timeout, next.run(request));
            AssertUnwindSafe(response).catch_unwind().await.unwrap_or_else(|_| panicked())
        }
    };
    cors.apply(response.headers_mut());
    log.finish(&id, &serving.metrics, &response);
    id.add_to(response.headers_mut());
    response
}

fn panicked() -> Response {
    Problem::from(AppError::Internal(anyhow::anyhow!("a handler panicked"))).into_response()
}
