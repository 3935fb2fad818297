//! CORS for clients, also of error responses. A client key is public, so any page may use it.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use flagservice_core::wire::{CLIENT_PATH, OFREP_PATH};

/// How long a browser may cache the response to a preflight, in seconds.
const PREFLIGHT_MAX_AGE: &str = "86400";

/// The headers that our own client may send.
const CLIENT_HEADERS: &str = "content-type";

/// The headers that OpenFeature providers may send, and trace context from monitoring tools in the page.
const OFREP_HEADERS: &str = "authorization, content-type, if-none-match, traceparent, tracestate, x-api-key";

/// The CORS policy of a request. It is chosen by path, because a nested router would not see requests to unknown paths.
#[derive(Clone, Copy)]
pub enum CorsPolicy {
    /// A preflight request. Pages may send these headers.
    Preflight(&'static str),
    /// Pages of every origin may read the response.
    AnyOrigin,
    /// Pages of other origins may not read the response.
    SameOrigin,
}

impl CorsPolicy {
    /// The policy for the request.
    pub fn for_request(request: &Request) -> Self {
        let path = request.uri().path();
        let headers = match path {
            _ if path.starts_with(CLIENT_PATH) => CLIENT_HEADERS,
            _ if path.starts_with(OFREP_PATH) => OFREP_HEADERS,
            _ => return Self::SameOrigin,
        };
        if request.method() == Method::OPTIONS { Self::Preflight(headers) } else { Self::AnyOrigin }
    }

    /// Adds the headers of the policy to the response.
    pub fn apply(self, headers: &mut HeaderMap) {
        match self {
            Self::SameOrigin => return,
            Self::AnyOrigin => {}
            Self::Preflight(allowed) => {
                headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
                headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(allowed));
                headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_MAX_AGE));
            }
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag, retry-after"));
    }
}
