//! `/client/v1/{clientKey}` for browser clients, `/server/v1` for services that evaluate locally, and `/ofrep/v1` for
//! OpenFeature providers. `docs/protocol.md` describes the messages.

pub(in crate::http) mod body_limits;
pub(in crate::http) mod environment_stream;
mod evaluations;
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

use crate::http::middleware::compression;
use crate::http::sdk::guard::Guard;
use crate::http::sdk::limits::Limits;
use crate::http::server::settings::Settings;
use crate::serving::Serving;

/// The routes of SDKs. They are not nested: a nested router would cost each request two layers.
pub fn router<S: Clone + Send + Sync + 'static>(serving: &Arc<Serving>, settings: &Settings) -> Router<S> {
    let guard = Guard {
        serving: Arc::clone(serving),
        limits: Arc::new(Limits::new(serving)),
        proxies: settings.trusted_proxies.as_slice().into(),
    };
    Router::new()
        .route("/client/v1/{clientKey}/load", post(load::load))
        .route("/client/v1/{clientKey}/stream", get(stream::stream))
        .route("/client/v1/{clientKey}/goals", post(goals::from_browser))
        .route("/server/v1/rules", get(rules::load))
        .route("/server/v1/stream", get(rules::stream))
        .route("/server/v1/goals", post(goals::from_service))
        .route("/client/v1/{clientKey}/changes", get(ofrep::changes))
        .route("/ofrep/v1/evaluate/flags", post(ofrep::evaluate_all).layer(compression::layer()))
        .route("/ofrep/v1/evaluate/flags/{key}", post(ofrep::evaluate_one))
        .with_state(guard)
}
