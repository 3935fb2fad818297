//! A client of a node: sends a request to its routes, and reads the answer.

use axum::Router;
use axum::body::Body;
use axum::http::{self, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

/// A request.
pub struct Request {
    method: String,
    path: String,
    token: Option<String>,
    if_match: Option<u64>,
    body: Option<Value>,
}

impl Request {
    /// A request without a body.
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), token: None, if_match: None, body: None }
    }

    /// On behalf of the person with this token.
    pub fn with_token(self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self }
    }

    /// Only if the resource has this version.
    pub fn if_match(self, version: Option<u64>) -> Self {
        Self { if_match: version, ..self }
    }

    /// With a body.
    pub fn with_body(self, body: Option<Value>) -> Self {
        Self { body, ..self }
    }

    fn build(self) -> http::Result<http::Request<Body>> {
        let mut request = http::Request::builder().method(self.method.as_str()).uri(self.path);
        if let Some(token) = self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(version) = self.if_match {
            request = request.header(header::IF_MATCH, format!("\"{version}\""));
        }
        match self.body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        }
    }
}

/// An answer; the status 0 stands for none.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The version in the `ETag`.
    pub version: Option<u64>,
    /// JSON, or null.
    pub body: Value,
}

/// Sends a request and reads the whole answer.
pub async fn send(router: Router, request: Request) -> Answer {
    let none = Answer { status: 0, version: None, body: Value::Null };
    let Ok(response) = open(router, request).await else { return none };
    let status = response.status().as_u16();
    let version =
        response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok()?.trim_matches('"').parse().ok());
    let Ok(body) = response.into_body().collect().await else { return none };
    Answer { status, version, body: serde_json::from_slice(&body.to_bytes()).unwrap_or_default() }
}

/// Sends a request; the body is still to be read.
///
/// # Errors
/// When it is no valid request.
pub async fn open(router: Router, request: Request) -> http::Result<http::Response<Body>> {
    let request = request.build()?;
    // A router never fails: it answers.
    Ok(router.oneshot(request).await.unwrap_or_else(|never| match never {}))
}
