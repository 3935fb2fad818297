//! CORS for clients: every answer carries it, errors too. A client key is public, so that any page may ask.

use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flagservice_core::wire::CLIENT_PATH;

/// How long a browser may remember the answer to a preflight, in seconds.
const PREFLIGHT_LIFETIME: &str = "86400";

/// Answers preflights, and lets pages of other origins read the answers.
///
/// It stands around the whole router, because a router below the client's path would not see every path there.
pub async fn allow(request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with(CLIENT_PATH) {
        return next.run(request).await;
    }
    let preflight = request.method() == Method::OPTIONS;
    let mut response = if preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    if preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_LIFETIME));
    }
    response
}
