//! Versions of resources as HTTP has them: `ETag` in answers, `If-Match` in writes.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};

use super::problem::Problem;

/// The version that the caller has seen, from `If-Match`; none when the caller does not care.
pub struct IfMatch(pub Option<u64>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(header::IF_MATCH) else {
            return Ok(Self(None));
        };
        let text = value.to_str().unwrap_or_default().trim();
        if text == "*" {
            return Ok(Self(None));
        }
        let version = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .and_then(|text| text.parse().ok());
        match version {
            Some(version) => Ok(Self(Some(version))),
            None => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "invalid-if-match",
                "If-Match takes the ETag of an earlier answer as it stood there, for example \"17\".",
            )),
        }
    }
}

/// The header with which an answer tells its version.
pub fn etag(version: u64) -> [(header::HeaderName, HeaderValue); 1] {
    let value = HeaderValue::from_str(&format!("\"{version}\""))
        .unwrap_or(HeaderValue::from_static("\"0\""));
    [(header::ETAG, value)]
}
