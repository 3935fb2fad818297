//! JSON bodies with errors that point at the invalid place. Clients may also send them as `text/plain`.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use flagservice_rules::Violation;
use serde::de::DeserializeOwned;

use crate::app::pointer;
use crate::http::problem::Problem;

/// A body of `application/json`.
pub struct Json<T>(pub T);

/// A body of `application/json` or, so that browsers need no preflight, of `text/plain`, of at most `MAX` bytes.
pub struct ClientJson<T, const MAX: usize>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = read(request, state, &["application/json"]).await?;
        parse(&body).map(Self)
    }
}

impl<T: DeserializeOwned, S: Send + Sync, const MAX: usize> FromRequest<S> for ClientJson<T, MAX> {
    type Rejection = Problem;

    async fn from_request(mut request: Request, state: &S) -> Result<Self, Problem> {
        DefaultBodyLimit::max(MAX).apply(&mut request);
        let body = read(request, state, &["application/json", "text/plain"]).await?;
        parse(&body).map(Self)
    }
}

/// Reads a body of one of the types.
pub(in crate::http) async fn read<S: Send + Sync>(
    request: Request,
    state: &S,
    types: &[&str],
) -> Result<Bytes, Problem> {
    if !types.contains(&content_type(request.headers()).as_str()) {
        let detail = format!("Send the body as {}.", types.join(" or "));
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", detail));
    }
    Bytes::from_request(request, state).await.map_err(|rejection| unreadable(&rejection))
}

/// Parses a body.
pub(in crate::http) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let pointer = pointer::of(error.path());
        malformed(pointer, error.inner())
    })?;
    json.end().map_err(|error| malformed(String::new(), &error))?;
    Ok(value)
}

/// Reads a field for which a missing value and `null` have different meanings.
pub(in crate::http) fn nullable<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: serde::Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    serde::Deserialize::deserialize(deserializer).map(Some)
}

fn content_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn unreadable(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "The body is too large for this path. Send less.",
        );
    }
    Problem::new(StatusCode::BAD_REQUEST, "unreadable", "The body is incomplete. Send it again.")
}

fn malformed(pointer: String, error: &serde_json::Error) -> Problem {
    let detail = error.to_string();
    let (status, kind) = match error.classify() {
        serde_json::error::Category::Data => (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
        serde_json::error::Category::Io | serde_json::error::Category::Syntax | serde_json::error::Category::Eof => {
            (StatusCode::BAD_REQUEST, "malformed-json")
        }
    };
    let errors = if kind == "invalid" { vec![Violation { pointer, detail: detail.clone() }] } else { Vec::new() };
    Problem::new(status, kind, format!("The body is invalid: {detail}.")).with_errors(errors)
}
