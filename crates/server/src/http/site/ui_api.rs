//! `/ui/api/v1`: the REST API for the administration pages, which have a session and no token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::app::resources::sessions;
use crate::http::extract::caller::SignedIn;
use crate::http::problem::Problem;
use crate::http::site::session::SessionText;

/// Lets requests of the pages in, each with the rights of who is signed in.
pub async fn enter(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let admitted = async { Ok::<_, Problem>(sessions::find(&app, &SessionText::of(&parts, &app)?.0).await?.actor) };
    let mut response = match admitted.await {
        Ok(actor) => {
            parts.extensions.insert(SignedIn(actor));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(problem) => problem.into_response(),
    };
    // What one person was shown is not kept for the next one at the same browser.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
