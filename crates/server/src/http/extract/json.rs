//! JSON bodies with errors that point at the invalid place. Clients may also send them as `text/plain`.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use crate::app::json::{self, Unreadable};
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

/// Parses a body. Only objects are read as structures, at every depth.
pub(in crate::http) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    json::parse(body).map_err(|unreadable| match unreadable {
        Unreadable::Malformed(detail) => Problem::new(StatusCode::BAD_REQUEST, "malformed-json", detail),
        Unreadable::Invalid(violation) => {
            let detail = format!("The body is invalid: {}.", violation.detail);
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", detail).with_errors(vec![violation])
        }
    })
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
