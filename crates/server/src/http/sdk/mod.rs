//! `/client/v1/{clientKey}` for browser clients, `/server/v1` for services that evaluate locally, and `/ofrep/v1` for
//! OpenFeature providers. `docs/protocol.md` describes the messages.

pub(in crate::http) mod body_limits;
mod environment_stream;
mod goals;
mod guard;
mod limits;
mod load;
mod ofrep;
mod rules;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;
use crate::http::middleware::compression;
use crate::http::sdk::guard::Guard;
use crate::http::sdk::limits::Limits;
use crate::http::server::settings::Settings;

/// The routes of SDKs. They are not nested: a nested router would cost each request two layers.
pub fn router(app: &Arc<App>, settings: &Settings) -> Router<Arc<App>> {
    let guard = Guard {
        app: Arc::clone(app),
        limits: Arc::new(Limits::new(settings.limits)),
        proxies: settings.trusted_proxies.as_slice().into(),
    };
    Router::new()
        .route("/client/v1/{clientKey}/load", post(load::load).layer(compression::layer()))
        .route("/client/v1/{clientKey}/stream", get(stream::stream))
        .route("/client/v1/{clientKey}/goals", post(goals::from_browser))
        .route("/server/v1/rules", get(rules::load).layer(compression::layer()))
        .route("/server/v1/stream", get(rules::stream))
        .route("/server/v1/goals", post(goals::from_service))
        .route("/client/v1/{clientKey}/changes", get(ofrep::changes))
        .route("/ofrep/v1/evaluate/flags", post(ofrep::evaluate_all).layer(compression::layer()))
        .route("/ofrep/v1/evaluate/flags/{key}", post(ofrep::evaluate_one))
        .with_state(guard)
}
