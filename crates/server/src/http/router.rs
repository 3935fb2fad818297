//! Which path leads to which handler, and what stands around all of them.

use std::sync::Arc;

use axum::routing::get;
use axum::{Router, middleware};
use tower_http::services::ServeDir;
use utoipa_swagger_ui::SwaggerUi;

use super::problem::no_such_method;
use super::rest::rest;
use super::settings::Settings;
use super::{around, client, compression, docs, documentation, health, metrics, pages, session, ui_api};
use crate::app::App;

/// All of the service's HTTP.
pub fn router(app: Arc<App>, settings: Settings) -> Router {
    let signed_in = middleware::from_fn_with_state(Arc::clone(&app), ui_api::enter);
    let mut router = Router::new()
        .nest("/api/v1", rest().split_for_parts().0)
        .nest("/ui/api/v1", rest().split_for_parts().0.layer(signed_in))
        .merge(session::router(&app, &settings))
        .merge(pages::router(&app, &settings))
        .merge(documentation::router(&settings))
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
