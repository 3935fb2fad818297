//! What stands around every request: its id, its line in the log, CORS, its time limit, and an answer when a handler panics.
//!
//! All of it is one layer, because each layer of a router costs every request several allocations.

pub mod compression;
pub mod cors;
mod request_id;
mod request_log;
mod request_timeout;
pub mod same_origin;
mod trace;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;

use crate::app::{App, AppError};
use crate::http::middleware::request_id::RequestId;
use crate::http::middleware::request_log::Line;
use crate::http::problem::Problem;

/// Answers a request.
pub async fn answer(State((app, most)): State<(Arc<App>, Duration)>, request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers(), &*app.random);
    let line = Line::begin(&request);
    let asker = cors::Asker::of(&request);
    let mut response = match asker {
        cors::Asker::Preflight(_) => StatusCode::NO_CONTENT.into_response(),
        cors::Asker::Client | cors::Asker::Other => {
            let answered = request_timeout::limit(most, next.run(request));
            AssertUnwindSafe(answered).catch_unwind().await.unwrap_or_else(|_| panicked())
        }
    };
    asker.allow(response.headers_mut());
    line.end(&id, &app.metrics, &response);
    id.name(response.headers_mut());
    response
}

fn panicked() -> Response {
    Problem::from(AppError::Internal(anyhow::anyhow!("a handler panicked"))).into_response()
}
