//! Which path leads to which handler, and what stands around all of them.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::routing::{delete, get};
use axum::{Router, middleware};
use tower_http::services::ServeDir;

use super::problem::Problem;
use super::{
    audiences, client, client_keys, environments, features, health, projects, request_log,
    targeting,
};
use crate::app::App;

/// Largest body of a request to the REST API, in bytes.
const REST_BODY: usize = 1024 * 1024;

/// All of the service's HTTP. `pages` is a folder of static files to serve under `/pages/`.
pub fn router(app: Arc<App>, pages: Option<PathBuf>) -> Router {
    let mut router = Router::new()
        .nest("/api/v1", rest())
        .nest("/client/v1/{clientKey}", client::router())
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready));
    if let Some(folder) = pages {
        router = router.nest_service("/pages", ServeDir::new(folder));
    }
    router
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn(request_log::log))
        .with_state(app)
}

fn rest() -> Router<Arc<App>> {
    const ENVIRONMENT: &str = "/projects/{projectKey}/environments/{environmentKey}";
    Router::new()
        .route("/projects", get(projects::list).post(projects::create))
        .route(
            "/projects/{projectKey}/environments",
            get(environments::list).post(environments::create),
        )
        .route(
            &format!("{ENVIRONMENT}/client-keys"),
            get(client_keys::list).post(client_keys::create),
        )
        .route(
            &format!("{ENVIRONMENT}/client-keys/{{id}}"),
            delete(client_keys::revoke),
        )
        .route(
            "/projects/{projectKey}/audiences",
            get(audiences::list).post(audiences::create),
        )
        .route(
            "/projects/{projectKey}/features",
            get(features::list).post(features::create),
        )
        .route(
            "/projects/{projectKey}/features/{featureKey}",
            get(features::read).patch(features::update),
        )
        .route(
            "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
            get(targeting::read)
                .put(targeting::replace)
                .patch(targeting::update),
        )
        .layer(DefaultBodyLimit::max(REST_BODY))
}

/// Answers where there is nothing.
pub async fn no_such_path(uri: Uri) -> Problem {
    // Only the path's first part: the rest of a mistyped address may be a key.
    let first = uri.path().split('/').nth(1).unwrap_or_default().to_owned();
    Problem::new(
        StatusCode::NOT_FOUND,
        "no-such-path",
        format!("There is nothing at this path below '/{first}'."),
    )
}

/// Answers a method that the path does not take.
pub async fn no_such_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "This path takes other methods; see Allow.",
    )
}
