//! `/client/v1/{clientKey}`: what browser clients use; `/server/v1`: what services use that evaluate for themselves;
//! `/ofrep/v1`: what OpenFeature's providers use.
//! `docs/protocol.md` tells the shapes.

mod body_limits;
mod following;
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

/// The client's paths. They stand here whole: a router nested below the key would cost each request two layers.
pub fn router(app: &Arc<App>, settings: &Settings) -> Router<Arc<App>> {
    let guard = Guard {
        app: Arc::clone(app),
        limits: Arc::new(Limits::new(settings.limits)),
        proxies: settings.trusted_proxies.as_slice().into(),
    };
    Router::new()
        .route("/client/v1/{clientKey}/load", post(load::load).layer(compression::layer()))
        .route("/client/v1/{clientKey}/stream", get(stream::stream))
        .route("/client/v1/{clientKey}/goals", post(goals::keep))
        .route("/server/v1/rules", get(rules::read).layer(compression::layer()))
        .route("/server/v1/stream", get(rules::stream))
        .route("/server/v1/goals", post(goals::keep_of_server))
        .route("/client/v1/{clientKey}/changes", get(ofrep::changes))
        .route("/ofrep/v1/evaluate/flags", post(ofrep::all).layer(compression::layer()))
        .route("/ofrep/v1/evaluate/flags/{key}", post(ofrep::one))
        .with_state(guard)
}
