//! What an evaluation answers that cannot be.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A refusal, in the words of OpenFeature.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The feature that was asked for, where it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    error_code: ErrorCode,
    /// In plain words, with the remedy.
    error_details: String,
}

/// OpenFeature's kinds of errors that there are here.
#[derive(Clone, Copy, Serialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// The body is no JSON.
    ParseError,
    /// The context cannot be used.
    InvalidContext,
    /// The context does not say for whom.
    TargetingKeyMissing,
    /// There is no such feature, or it is archived.
    FlagNotFound,
}

impl Failure {
    /// A refusal of the whole request.
    pub fn new(error_code: ErrorCode, details: impl Into<String>) -> Self {
        Self { key: None, error_code, error_details: details.into() }
    }

    /// The same, when that feature was asked for.
    pub fn of(mut self, key: &str) -> Self {
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
