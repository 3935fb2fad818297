//! The routes of the service, and the middleware around them.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tower_http::services::ServeDir;

use crate::app::App;
use crate::http::api::rest::routes;
use crate::http::middleware::caller_limits::{self, Callers, CountedBy};
use crate::http::middleware::{compression, handle_request};
use crate::http::problem::no_such_method;
use crate::http::server::settings::Settings;
use crate::http::server::{health, metrics};
use crate::http::site::session::SignInState;
use crate::http::site::{admin_site, api_viewer, documentation, no_wasm_core, session, single_sign_on, ui_api};
use crate::http::{edge, sdk};

/// All routes of the service.
pub fn router(app: Arc<App>, settings: Settings) -> Router {
    app.serving.set_limits(settings.limits);
    let signed_in = from_fn_with_state(Arc::clone(&app), ui_api::authenticate);
    let callers = Arc::new(Callers::new(settings.callers, &settings.trusted_proxies));
    let limited = |by| from_fn_with_state((Arc::clone(&callers), by), caller_limits::limit);
    let by_session = || CountedBy::Session(app.outbound.public.clone());
    let sign_in = SignInState::new(&app, &settings);
    let mut router = Router::new()
        .nest("/api/v1", routes().layer(limited(CountedBy::Token)))
        .nest("/ui/api/v1", routes().layer(signed_in).layer(limited(by_session())))
        .merge(session::router(&sign_in).layer(limited(by_session())))
        // Only of callers who have a budget: compression takes the threads that serve.
        .layer(compression::layer())
        .merge(single_sign_on::router(&sign_in))
        .merge(admin_site::router(&app, &settings))
        .merge(documentation::router(&app.serving, &settings))
        .merge(no_wasm_core::router(&app.serving))
        .merge(api_viewer::router(&app.serving))
        .merge(health::router(&settings));
    if settings.metrics {
        router = router.route("/metrics", get(metrics::read));
    }
    if let Some(folder) = &settings.static_dir {
        router = router.nest_service("/pages", ServeDir::new(folder));
    }
    router
        // Most responses to clients are too small to compress, and the layer is not free.
        .merge(sdk::router(&app.serving, &settings))
        .merge(edge::router(&app.serving))
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state((Arc::clone(&app.serving), settings.request_timeout), handle_request))
        .with_state(app)
}
