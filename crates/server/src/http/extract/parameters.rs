//! Path and query parameters, with problem responses for invalid ones.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::app::json;
use crate::http::problem::{Problem, no_such_path};

/// The parameters of the path, in order. Invalid ones return 404.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let uri = parts.uri.clone();
        match axum::extract::Path::from_request_parts(parts, state).await {
            // No key contains NUL, and PostgreSQL rejects it in queries.
            Ok(axum::extract::Path(path)) if !uri.path().contains("%00") => Ok(Self(path)),
            Ok(_) | Err(_) => Err(no_such_path(uri).await),
        }
    }
}

/// The query parameters.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        if query.contains("%00") {
            let detail = "A query parameter contains a NUL character. Remove it.";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "invalid-query", detail));
        }
        let query = json::parse_query(query);
        query.map(Self).map_err(|detail| Problem::new(StatusCode::BAD_REQUEST, "invalid-query", detail))
    }
}
