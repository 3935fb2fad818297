//! CORS for clients: every answer carries it, errors too. A client key is public, so that any page may ask.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use flagservice_core::wire::CLIENT_PATH;

/// How long a browser may remember the answer to a preflight, in seconds.
const PREFLIGHT_LIFETIME: &str = "86400";

/// Who asks. It is told for every request, because a router below the client's path would not see every path there.
#[derive(Clone, Copy)]
pub enum Asker {
    /// A browser, whether a page may ask.
    Preflight,
    /// A client.
    Client,
    /// Somebody to whom pages of other origins have no right.
    Other,
}

impl Asker {
    /// Who sends the request.
    pub fn of(request: &Request) -> Self {
        if !request.uri().path().starts_with(CLIENT_PATH) {
            Self::Other
        } else if request.method() == Method::OPTIONS {
            Self::Preflight
        } else {
            Self::Client
        }
    }

    /// Lets pages of other origins read the answer.
    pub fn allow(self, headers: &mut HeaderMap) {
        match self {
            Self::Other => return,
            Self::Client => {}
            Self::Preflight => {
                headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
                headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
                headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_LIFETIME));
            }
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    }
}
