//! CORS for clients: every answer carries it, errors too. A client key is public, so that any page may ask.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use flagservice_core::wire::{CLIENT_PATH, OFREP_PATH};

/// How long a browser may remember the answer to a preflight, in seconds.
const PREFLIGHT_LIFETIME: &str = "86400";

/// What our own client may send.
const CLIENT_HEADERS: &str = "content-type";

/// What OpenFeature's providers may send: a credential, and what they know; traces come from whoever watches the page.
const OFREP_HEADERS: &str = "authorization, content-type, if-none-match, traceparent, tracestate, x-api-key";

/// Who asks. It is told for every request, because a router below the client's path would not see every path there.
#[derive(Clone, Copy)]
pub enum Asker {
    /// A browser, whether a page may ask with these headers.
    Preflight(&'static str),
    /// A client.
    Client,
    /// Somebody to whom pages of other origins have no right.
    Other,
}

impl Asker {
    /// Who sends the request.
    pub fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let headers = match path {
            _ if path.starts_with(CLIENT_PATH) => CLIENT_HEADERS,
            _ if path.starts_with(OFREP_PATH) => OFREP_HEADERS,
            _ => return Self::Other,
        };
        if request.method() == Method::OPTIONS { Self::Preflight(headers) } else { Self::Client }
    }

    /// Lets pages of other origins read the answer.
    pub fn allow(self, headers: &mut HeaderMap) {
        match self {
            Self::Other => return,
            Self::Client => {}
            Self::Preflight(allowed) => {
                headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
                headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(allowed));
                headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_LIFETIME));
            }
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag, retry-after"));
    }
}
