//! How long a request may take until its answer begins. A stream's answer begins at once, and goes on.

use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::http::problem::Problem;

/// Answers for a request that takes too long: its body does not arrive, or the database is busy.
pub async fn limit(most: Duration, answered: impl Future<Output = Response>) -> Response {
    match tokio::time::timeout(most, answered).await {
        Ok(response) => response,
        Err(_) => {
            let detail = "The request was not done in time. Send it whole, or try again a little later.";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "timeout", detail).into_response()
        }
    }
}
