//! The routes of the REST API. The handlers declare their paths.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::api::{
    access_tokens, approvals, audiences, audit_log, compare, copy, edge_keys, environments, experiments, features,
    goals, insights, integrations, organisation, pipelines, preferences, preview, projects, sdk_keys, setup_links,
    targeting, users,
};
use crate::http::extract::location::add_location;

/// The largest request body, in bytes.
const MAX_BODY: usize = 1024 * 1024;

/// The routes without what the OpenAPI document says of them, which takes long to make.
static ROUTES: LazyLock<Router<Arc<App>>> = LazyLock::new(|| rest().split_for_parts().0);

/// The routes below `/api/v1`.
pub(in crate::http) fn routes() -> Router<Arc<App>> {
    ROUTES.clone()
}

/// The paths below `/api/v1`, with their documentation.
pub(in crate::http) fn rest() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(organisation::read, organisation::update))
        .routes(routes!(organisation::me))
        .routes(routes!(users::list, users::create))
        .routes(routes!(users::read, users::update, users::delete))
        .routes(routes!(setup_links::create))
        .routes(routes!(users::erasures::create))
        .routes(routes!(access_tokens::list, access_tokens::create))
        .routes(routes!(access_tokens::revoke))
        .routes(routes!(audit_log::list))
        .routes(routes!(integrations::list, integrations::create))
        .routes(routes!(integrations::read, integrations::update, integrations::delete))
        .routes(routes!(integrations::rotate_secret))
        .routes(routes!(integrations::test))
        .routes(routes!(integrations::deliveries))
        .routes(routes!(integrations::regions))
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
        .routes(routes!(edge_keys::list, edge_keys::create))
        .routes(routes!(edge_keys::rotate))
        .routes(routes!(edge_keys::revoke))
        .routes(routes!(goals::list))
        .routes(routes!(insights::list))
        .routes(routes!(insights::read))
        .routes(routes!(experiments::list, experiments::create))
        .routes(routes!(experiments::read, experiments::update, experiments::delete))
        .routes(routes!(experiments::lifecycle::start))
        .routes(routes!(experiments::lifecycle::stop))
        .routes(routes!(experiments::results::read))
        .routes(routes!(audiences::list, audiences::create))
        .routes(routes!(audiences::read, audiences::update, audiences::delete))
        .routes(routes!(pipelines::list, pipelines::create))
        .routes(routes!(pipelines::read, pipelines::update, pipelines::delete))
        .routes(routes!(features::list, features::create))
        .routes(routes!(features::read, features::update, features::delete))
        .routes(routes!(features::next_phase))
        .routes(routes!(preferences::read, preferences::replace))
        .routes(routes!(targeting::read, targeting::replace, targeting::update))
        .routes(routes!(targeting::break_glass))
        .routes(routes!(preview::preview))
        .routes(routes!(approvals::to_decide::list))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::read))
        .routes(routes!(approvals::decisions::approve))
        .routes(routes!(approvals::decisions::reject))
        .routes(routes!(approvals::decisions::cancel))
        .routes(routes!(approvals::comments::comment))
        .layer(from_fn(add_location))
        .layer(DefaultBodyLimit::max(MAX_BODY))
}
