//! Which path leads to which handler, and what stands around all of them.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tower_http::services::ServeDir;
use utoipa_swagger_ui::SwaggerUi;

use crate::app::App;
use crate::http::api::openapi;
use crate::http::api::rest::rest;
use crate::http::middleware::{compression, handle_request};
use crate::http::problem::no_such_method;
use crate::http::sdk;
use crate::http::server::settings::Settings;
use crate::http::server::{health, metrics};
use crate::http::site::{admin_site, documentation, session, ui_api};

/// All of the service's HTTP.
pub fn router(app: Arc<App>, settings: Settings) -> Router {
    let signed_in = from_fn_with_state(Arc::clone(&app), ui_api::enter);
    let mut router = Router::new()
        .nest("/api/v1", rest().split_for_parts().0)
        .nest("/ui/api/v1", rest().split_for_parts().0.layer(signed_in))
        .merge(session::router(&app, &settings))
        .merge(admin_site::router(&app, &settings))
        .merge(documentation::router(&settings))
        .merge(SwaggerUi::new("/docs/api").url("/openapi.json", openapi::document()))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready));
    if settings.metrics {
        router = router.route("/metrics", get(metrics::read));
    }
    if let Some(folder) = &settings.static_dir {
        router = router.nest_service("/pages", ServeDir::new(folder));
    }
    router
        .layer(compression::layer())
        // After the layer: most answers to clients are too short for it, and its cost is not.
        .merge(sdk::router(&app, &settings))
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state((Arc::clone(&app), settings.request_timeout), handle_request))
        .with_state(app)
}
