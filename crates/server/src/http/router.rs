//! Which path leads to which handler, and what stands around all of them.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use axum::{Router, middleware};
use tower_http::services::ServeDir;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::SwaggerUi;

use super::problem::no_such_method;
use super::settings::Settings;
use super::{
    access_tokens, approvals, around, audiences, audit_log, client, compare, compression, copy, docs, environments,
    features, goals, health, integrations, metrics, organisation, pages, pipelines, preview, projects, sdk_keys,
    session, targeting, ui_api, users,
};
use crate::app::App;

/// Largest body of a request to the REST API, in bytes.
const REST_BODY: usize = 1024 * 1024;

/// All of the service's HTTP.
pub fn router(app: Arc<App>, settings: Settings) -> Router {
    let signed_in = middleware::from_fn_with_state(Arc::clone(&app), ui_api::enter);
    let mut router = Router::new()
        .nest("/api/v1", rest().split_for_parts().0)
        .nest("/ui/api/v1", rest().split_for_parts().0.layer(signed_in))
        .merge(session::router(&app, &settings))
        .merge(pages::router(&app, &settings))
        .merge(SwaggerUi::new("/docs/api").url("/openapi.json", docs::document()))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready));
    if settings.metrics {
        router = router.route("/metrics", get(metrics::read));
    }
    if let Some(folder) = &settings.pages {
        router = router.nest_service("/pages", ServeDir::new(folder));
    }
    router
        .layer(compression::layer())
        // After the layer: most answers to clients are too short for it, and its cost is not.
        .merge(client::router(&app, &settings))
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn_with_state((Arc::clone(&app), settings.request_timeout), around::answer))
        .with_state(app)
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
        .routes(routes!(integrations::list, integrations::create))
        .routes(routes!(integrations::read, integrations::update, integrations::delete))
        .routes(routes!(integrations::test))
        .routes(routes!(integrations::deliveries))
        .routes(routes!(projects::list, projects::create))
        .routes(routes!(projects::read, projects::update, projects::delete))
        .routes(routes!(environments::list, environments::create))
        .routes(routes!(environments::read, environments::update, environments::delete))
        .routes(routes!(compare::read))
        .routes(routes!(copy::copy))
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
        .routes(routes!(features::next_phase))
        .routes(routes!(targeting::read, targeting::replace, targeting::update))
        .routes(routes!(preview::preview))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::read))
        .routes(routes!(approvals::approve))
        .routes(routes!(approvals::reject))
        .routes(routes!(approvals::cancel))
        .routes(routes!(approvals::comment))
        .layer(DefaultBodyLimit::max(REST_BODY))
}
