//! The timeout of requests, until their responses begin. The response of a stream begins immediately.

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::http::problem::Problem;

/// Returns a problem if the response takes too long: the body does not arrive, or the database is busy.
pub async fn with_timeout(limit: Duration, response: impl Future<Output = Response>) -> Response {
    match tokio::time::timeout(limit, response).await {
        Ok(response) => response,
        Err(_) => {
            let detail = "The request took too long. Try again later.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", detail).into_response()
        }
    }
}
