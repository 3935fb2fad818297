//! The client key in the path, checked before a body is read.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::app::snapshot::ClientKeyRef;
use crate::app::{App, AppError, client};
use crate::http::problem::Problem;

/// A client key that counts.
pub struct ClientKey(pub ClientKeyRef);

impl FromRequestParts<Arc<App>> for ClientKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let path = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let key = path.ok().and_then(|Path(mut parameters)| parameters.remove("clientKey"));
        let key = key.ok_or(AppError::UnknownClientKey)?;
        Ok(Self(client::authenticate(app, &key)?))
    }
}
