//! The response to an evaluation that fails.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An evaluation error of the protocol.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The requested feature, if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    error_code: ErrorCode,
    /// What is wrong and how to fix it.
    error_details: String,
}

/// The error codes of OpenFeature that occur here.
#[derive(Clone, Copy, Serialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// The body is not JSON.
    ParseError,
    /// The context is invalid.
    InvalidContext,
    /// The context has no targeting key.
    TargetingKeyMissing,
    /// The feature does not exist or is archived.
    FlagNotFound,
}

impl Failure {
    /// An error of the whole request.
    pub fn new(error_code: ErrorCode, details: impl Into<String>) -> Self {
        Self { key: None, error_code, error_details: details.into() }
    }

    /// The same error for one feature.
    pub fn for_feature(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = match self.error_code {
            ErrorCode::FlagNotFound => StatusCode::NOT_FOUND,
            ErrorCode::ParseError | ErrorCode::InvalidContext | ErrorCode::TargetingKeyMissing => {
                StatusCode::BAD_REQUEST
            }
        };
        (status, Json(self)).into_response()
    }
}
