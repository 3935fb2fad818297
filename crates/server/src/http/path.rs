//! What the variable parts of a path hold: texts, or there is nothing at the path.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use super::router::no_such_path;

/// The variable parts of a path, in their order.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let uri = parts.uri.clone();
        match axum::extract::Path::from_request_parts(parts, state).await {
            // No key holds a NUL, and PostgreSQL takes none in a question.
            Ok(axum::extract::Path(path)) if !uri.path().contains("%00") => Ok(Self(path)),
            Ok(_) | Err(_) => Err(no_such_path(uri).await),
        }
    }
}
