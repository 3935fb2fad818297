//! The viewer of the OpenAPI document, with a policy like that of our own pages.

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use utoipa_swagger_ui::SwaggerUi;

use crate::http::api::openapi;
use crate::http::site::admin_site::OPENER;

/// The viewer adds styles by script, so they cannot be limited to those of this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (OPENER, "same-origin"),
];

/// `/docs/api`, and the document that it shows, `/openapi.json`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let viewer: Router<S> = SwaggerUi::new("/docs/api").url("/openapi.json", openapi::document()).into();
    viewer.layer(map_response(with_policy))
}

async fn with_policy(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
