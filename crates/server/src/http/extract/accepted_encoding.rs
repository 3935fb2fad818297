//! Which encodings of a response its caller accepts.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// Whether the caller accepts a response that is compressed with gzip.
pub struct AcceptsGzip(pub bool);

impl<S: Send + Sync> FromRequestParts<S> for AcceptsGzip {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self(accepts_encoding(&parts.headers, "gzip")))
    }
}

/// Whether `Accept-Encoding` has the coding, unless with the weight 0.
pub fn accepts_encoding(headers: &HeaderMap, wanted: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(wanted) && weight.is_none_or(|weight| weight > 0.0)
    })
}
