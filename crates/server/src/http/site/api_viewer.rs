//! The viewer of the OpenAPI document, with a policy like that of our own pages.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use utoipa_swagger_ui::{Config, serve};

use crate::http::api::openapi;
use crate::http::problem::no_such_path;
use crate::http::site::admin_site::OPENER;
use crate::http::site::static_body::StaticBody;
use crate::serving::Serving;

/// The viewer adds styles by script, so they cannot be limited to those of this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (OPENER, "same-origin"),
];

/// The document and its viewer.
struct Viewer {
    serving: Arc<Serving>,
    document: StaticBody,
    config: Arc<Config<'static>>,
    /// The files that somebody has opened, by name: content type and body.
    files: Mutex<HashMap<String, (String, StaticBody)>>,
}

/// `/docs/api`, and the document that it shows, `/openapi.json`.
pub fn router<S>(serving: &Arc<Serving>) -> Router<S> {
    // The document has nothing that JSON cannot express.
    let document = serde_json::to_vec(&openapi::document()).unwrap_or_default();
    let viewer = Viewer {
        serving: Arc::clone(serving),
        document: StaticBody::new(document.into()),
        config: Arc::new(Config::new(["/openapi.json"])),
        files: Mutex::default(),
    };
    Router::new()
        .route("/openapi.json", get(document_response))
        .route("/docs/api", get(|| async { Redirect::to("/docs/api/") }))
        .route("/docs/api/", get(file_response))
        .route("/docs/api/{*file}", get(file_response))
        .layer(map_response(with_policy))
        .with_state(Arc::new(viewer))
}

impl Viewer {
    /// Content type and body of a file.
    fn file(&self, name: &str) -> Option<(String, StaticBody)> {
        let mut known = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = known.get(name) {
            return Some(file.clone());
        }
        let file = serve(name, Arc::clone(&self.config)).ok()??;
        let content = match file.bytes {
            Cow::Borrowed(content) => Bytes::from_static(content),
            Cow::Owned(content) => content.into(),
        };
        let file = (file.content_type, StaticBody::new(content));
        known.insert(name.to_owned(), file.clone());
        Some(file)
    }
}

async fn document_response(State(viewer): State<Arc<Viewer>>, headers: HeaderMap) -> Response {
    let body = viewer.document.response(&viewer.serving, &headers).await;
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn file_response(
    State(viewer): State<Arc<Viewer>>,
    name: Option<Path<String>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let name = name.map(|Path(name)| name).unwrap_or_default();
    let Some((kind, body)) = viewer.file(&name) else { return no_such_path(uri).await.into_response() };
    ([(header::CONTENT_TYPE, kind)], body.response(&viewer.serving, &headers).await).into_response()
}

async fn with_policy(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
