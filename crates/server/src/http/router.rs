//! Which path leads to which handler, and what stands around all of them.

use std::any::Any;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::HeaderName;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use ipnet::IpNet;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::services::ServeDir;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::SwaggerUi;

use super::problem::{Problem, no_such_method, no_such_path};
use super::settings::Settings;
use super::{
    access_tokens, address, audiences, audit_log, client, docs, environments, features, goals, health, metrics,
    organisation, pipelines, projects, request_log, request_timeout, sdk_keys, targeting, users,
};
use crate::app::{App, AppError};

/// Largest body of a request to the REST API, in bytes.
const REST_BODY: usize = 1024 * 1024;

/// Bodies under this size are sent as they are: compressing them costs more than it saves.
const WORTH_COMPRESSING: u64 = 4096;

/// Names the request in answers and in the log.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// All of the service's HTTP.
pub fn router(app: Arc<App>, settings: Settings) -> Router {
    let Settings { pages, trusted_proxies, limits, request_timeout: timeout, metrics: serves_metrics, .. } = settings;
    let trusted_proxies: Arc<[IpNet]> = trusted_proxies.into();
    let mut router = Router::new()
        .nest("/api/v1", rest().split_for_parts().0)
        .nest("/client/v1/{clientKey}", client::router(&app, limits))
        .merge(SwaggerUi::new("/docs/api").url("/openapi.json", docs::document()))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready));
    if serves_metrics {
        router = router.route("/metrics", get(metrics::read));
    }
    if let Some(folder) = pages {
        router = router.nest_service("/pages", ServeDir::new(folder));
    }
    let worth_compressing = SizeAbove::new(WORTH_COMPRESSING).and(NotForContentType::SSE);
    router
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
        .layer(CompressionLayer::new().compress_when(worth_compressing))
        .layer(middleware::from_fn_with_state(timeout, request_timeout::limit))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(trusted_proxies, address::note))
        .layer(middleware::from_fn(client::cors::allow))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), request_log::log))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .with_state(app)
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    let cause = anyhow::anyhow!("a handler panicked");
    Problem::from(AppError::Internal(cause)).into_response()
}

/// The REST API: its handlers say their own paths.
pub(super) fn rest() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(organisation::read, organisation::update))
        .routes(routes!(organisation::me))
        .routes(routes!(users::list, users::create))
        .routes(routes!(users::read, users::update, users::delete))
        .routes(routes!(access_tokens::list, access_tokens::create))
        .routes(routes!(access_tokens::revoke))
        .routes(routes!(audit_log::list))
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::read, projects::update, projects::delete))
        .routes(routes!(environments::list, environments::create))
        .routes(routes!(environments::read, environments::update, environments::delete))
        .routes(routes!(sdk_keys::list_client, sdk_keys::create_client))
        .routes(routes!(sdk_keys::revoke_client))
        .routes(routes!(sdk_keys::list_server, sdk_keys::create_server))
        .routes(routes!(sdk_keys::revoke_server))
        .routes(routes!(goals::list))
        .routes(routes!(audiences::list, audiences::create))
        .routes(routes!(audiences::read, audiences::update, audiences::delete))
        .routes(routes!(pipelines::list, pipelines::create))
        .routes(routes!(pipelines::read, pipelines::update, pipelines::delete))
        .routes(routes!(features::list, features::create))
        .routes(routes!(features::read, features::update, features::delete))
        .routes(routes!(targeting::read, targeting::replace, targeting::update))
        .layer(DefaultBodyLimit::max(REST_BODY))
}
