//! `Location` of a new resource: below the path that created it, by its key or id.

use axum::extract::{OriginalUri, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;

/// The last segments of paths whose resources are found by their id. Their `key` is a credential.
const BY_ID: [&str; 3] = ["client-keys", "server-keys", "edge-keys"];

/// The end of paths that create another resource beside the one at the path before it.
const ROTATE: &str = "/rotate";

/// The last segments of paths that add to the resource at the path before them.
const PARTS: [&str; 2] = ["comments", "setup-link"];

/// The names of a resource, from its JSON. An extension of the response that creates it.
#[derive(Clone, Deserialize)]
pub struct Created {
    key: Option<String>,
    id: Option<String>,
}

impl Created {
    /// The names in the body of a response that creates a resource.
    pub fn of(status: StatusCode, body: &str) -> Option<Self> {
        if status != StatusCode::CREATED {
            return None;
        }
        serde_json::from_str(body).ok()
    }

    fn location(self, path: &str) -> Option<String> {
        let path = match path.strip_suffix(ROTATE) {
            Some(replaced) => replaced.rsplit_once('/')?.0,
            None => path,
        };
        let (parent, last) = path.rsplit_once('/')?;
        if PARTS.contains(&last) {
            return Some(parent.to_owned());
        }
        let Self { key, id } = self;
        let name = if BY_ID.contains(&last) { id } else { key.or(id) };
        Some(format!("{path}/{}", name?))
    }
}

/// Adds the header to a response that creates a resource, also to the repeated one of an idempotent request.
pub async fn add_location(OriginalUri(uri): OriginalUri, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let created = response.extensions_mut().remove::<Created>();
    let location = created.and_then(|created| created.location(uri.path()));
    if let Some(location) = location.and_then(|location| HeaderValue::try_from(location).ok()) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}
