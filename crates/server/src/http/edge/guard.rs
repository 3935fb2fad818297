//! Checks the edge key of a request.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::domain::ids::EnvironmentId;
use crate::error::AppError;
use crate::http::extract::caller;
use crate::http::problem::Problem;
use crate::secret;
use crate::serving::Serving;

/// What to send where the edge key is missing or does not count.
const NO_EDGE_KEY: &str = "Send an edge key that counts: Authorization: Bearer edge-…. It gives access to nothing until its project has \
                            an environment.";

/// A valid edge key.
pub struct EdgeKey {
    /// Of its text.
    pub hash: String,
    /// The environments that it reaches now.
    pub environments: Vec<EnvironmentId>,
}

impl FromRequestParts<Arc<Serving>> for EdgeKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, serving: &Arc<Serving>) -> Result<Self, Problem> {
        let hash = secret::hash(caller::bearer(parts).unwrap_or_default());
        let environments = serving.snapshots.reached_by(&hash);
        if environments.is_empty() {
            // A node that does not have everything cannot say that a key is unknown: edges that follow it would remove their files.
            let is_unknown = serving.backend.is_unknown_edge_key(&hash).await?;
            return Err(if is_unknown { AppError::Unauthenticated(NO_EDGE_KEY) } else { AppError::NotReady }.into());
        }
        Ok(Self { hash, environments })
    }
}
