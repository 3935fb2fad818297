//! `/ui/api/v1`: the REST API for the administration pages, which use a session instead of a token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::app::resources::sessions;
use crate::http::extract::caller::SignedIn;
use crate::http::problem::Problem;
use crate::http::site::session::SessionCookie;

/// Authenticates requests of the pages as the person who is signed in.
pub async fn authenticate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let actor =
        async { Ok::<_, Problem>(sessions::find(&app, &SessionCookie::from_request(&parts, &app)?.0).await?.actor) };
    let mut response = match actor.await {
        Ok(actor) => {
            parts.extensions.insert(SignedIn(actor));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(problem) => problem.into_response(),
    };
    // The next person at the same browser must not see cached responses.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
