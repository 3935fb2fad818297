//! Problem responses (RFC 9457): turns errors of the application into a status and a body.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flagservice_rules::Violation;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppError;

/// The problem of a conflict that ends when another request does.
const STILL_RUNNING: &str = "still-running";

/// When to retry after a temporary problem, in seconds.
const RETRY_AFTER_SECONDS: u64 = 1;

/// The body of every error response.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Identifies the kind of error. It never changes.
    #[serde(rename = "type")]
    kind: Box<str>,
    title: &'static str,
    status: u16,
    /// What is wrong and how to fix it.
    detail: Box<str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Violation>,
    /// For `pending-approval`: the id of the pending approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_id: Option<Box<str>>,
    #[serde(skip)]
    cause: Option<Cause>,
}

/// Why a request failed. An extension of the response, read by the request log only.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

impl Problem {
    /// A problem; `kind` is the last part of its type.
    pub fn new(status: StatusCode, kind: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("/problems/{kind}").into(),
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into().into_boxed_str(),
            errors: Vec::new(),
            approval_id: None,
            cause: None,
        }
    }

    /// Adds violations.
    pub fn with_errors(mut self, errors: Vec<Violation>) -> Self {
        self.errors = errors;
        self
    }
}

impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        let detail = error.to_string();
        let mut private = None;
        let (status, kind) = match &error {
            AppError::Unauthenticated(_) => (StatusCode::UNAUTHORIZED, "unauthenticated"),
            AppError::Forbidden(_) | AppError::ForbiddenUse(_) => (StatusCode::FORBIDDEN, "forbidden"),
            AppError::NotFound { .. } => (StatusCode::NOT_FOUND, "not-found"),
            AppError::UnknownClientKey => (StatusCode::NOT_FOUND, "unknown-client-key"),
            AppError::Invalid(_) | AppError::UnknownReference { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
            AppError::Exists { .. } => (StatusCode::CONFLICT, "exists"),
            AppError::Stale { .. } => (StatusCode::PRECONDITION_FAILED, "stale"),
            AppError::InUse(_) => (StatusCode::CONFLICT, "in-use"),
            AppError::PendingChange { .. } => (StatusCode::CONFLICT, "pending-approval"),
            AppError::ApprovalRequired(_) => (StatusCode::CONFLICT, "approval-required"),
            AppError::OwnRequest => (StatusCode::FORBIDDEN, "own-request"),
            AppError::Decided(_) => (StatusCode::CONFLICT, "approval-decided"),
            AppError::ApprovalStale(_) => (StatusCode::CONFLICT, "approval-stale"),
            AppError::Archived(_) => (StatusCode::CONFLICT, "archived"),
            AppError::ExperimentState(_) => (StatusCode::CONFLICT, "experiment-state"),
            AppError::NoSuchStep(_) => (StatusCode::CONFLICT, "no-such-step"),
            AppError::StillRunning => (StatusCode::CONFLICT, STILL_RUNNING),
            AppError::Unavailable(cause) | AppError::Busy(cause) => {
                private = Some(format!("{cause:#}"));
                let is_busy = matches!(error, AppError::Busy(_));
                (StatusCode::SERVICE_UNAVAILABLE, if is_busy { "database-busy" } else { "database-unavailable" })
            }
            AppError::NotReady => (StatusCode::SERVICE_UNAVAILABLE, "not-ready"),
            AppError::GoalQueueFull => (StatusCode::SERVICE_UNAVAILABLE, "goal-queue-full"),
            AppError::StorageFull => (StatusCode::INSUFFICIENT_STORAGE, "storage-full"),
            AppError::ReadOnlyStorage => (StatusCode::SERVICE_UNAVAILABLE, "storage-read-only"),
            AppError::Unreadable(cause) => {
                private = Some(format!("{cause:#}"));
                (StatusCode::INTERNAL_SERVER_ERROR, "unreadable")
            }
            AppError::Internal(cause) => {
                private = Some(format!("{cause:#}"));
                (StatusCode::INTERNAL_SERVER_ERROR, "internal")
            }
        };
        let approval_id =
            if let AppError::PendingChange { approval, .. } = &error { Some(approval.as_str().into()) } else { None };
        let errors = violations(error, &detail);
        Self { cause: private.map(Cause), approval_id, ..Self::new(status, kind, detail).with_errors(errors) }
    }
}

/// The response to a caller who exceeds a limit and may try again after this time. `what` names the limit.
pub fn too_many_requests(wait: Duration, what: &str) -> Response {
    let seconds = wait.as_secs() + 1;
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", format!("{what} Wait {seconds} s."));
    ([(header::RETRY_AFTER, HeaderValue::from(seconds))], problem).into_response()
}

/// What the problem lists in `errors`; `detail` is its text.
fn violations(error: AppError, detail: &str) -> Vec<Violation> {
    match error {
        AppError::Invalid(errors) => errors,
        AppError::UnknownReference { pointer, .. } => vec![Violation { pointer, detail: detail.to_owned() }],
        AppError::Unauthenticated(_)
        | AppError::Forbidden(_)
        | AppError::ForbiddenUse(_)
        | AppError::NotFound { .. }
        | AppError::UnknownClientKey
        | AppError::NotReady
        | AppError::Exists { .. }
        | AppError::Stale { .. }
        | AppError::InUse(_)
        | AppError::PendingChange { .. }
        | AppError::ApprovalRequired(_)
        | AppError::OwnRequest
        | AppError::Decided(_)
        | AppError::ApprovalStale(_)
        | AppError::Archived(_)
        | AppError::ExperimentState(_)
        | AppError::NoSuchStep(_)
        | AppError::StillRunning
        | AppError::Unavailable(_)
        | AppError::Busy(_)
        | AppError::GoalQueueFull
        | AppError::StorageFull
        | AppError::ReadOnlyStorage
        | AppError::Unreadable(_)
        | AppError::Internal(_) => Vec::new(),
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        let cause = self.cause.take();
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let is_temporary = status == StatusCode::SERVICE_UNAVAILABLE || self.kind.ends_with(STILL_RUNNING);
        let mut response = (status, Json(self)).into_response();
        if let Some(cause) = cause {
            response.extensions_mut().insert(cause);
        }
        let headers = response.headers_mut();
        if is_temporary {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// The response for an unknown path.
pub async fn no_such_path(uri: Uri) -> Problem {
    // Only the first segment: the rest of a mistyped path may contain a key.
    let first = uri.path().split('/').nth(1).unwrap_or_default().to_owned();
    Problem::new(StatusCode::NOT_FOUND, "no-such-path", format!("Nothing found at this path below '/{first}'."))
}

/// The response for a method that the path does not support.
pub async fn no_such_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "This path does not support the method. Allow lists the supported ones.",
    )
}
