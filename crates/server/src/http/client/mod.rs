//! `/client/v1/{clientKey}`: what browser clients use. `docs/wire.md` tells the shapes.

pub mod cors;
mod goals;
mod guard;
mod limits;
mod load;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};

use super::problem::{no_such_method, no_such_path};
use super::settings;
use crate::app::App;
use guard::{Guard, STREAM_PATH};
use limits::Limits;

/// Largest body of a load, in bytes: the user.
const LOAD_BODY: usize = 16 * 1024;

/// Largest body of goals, in bytes: what a closing page can still send.
const GOALS_BODY: usize = 64 * 1024;

/// The client's paths, below its key.
pub fn router(app: &Arc<App>, limits: settings::Limits) -> Router<Arc<App>> {
    let guard = Guard { app: Arc::clone(app), limits: Arc::new(Limits::new(limits)) };
    Router::new()
        .route("/load", post(load::load).layer(DefaultBodyLimit::max(LOAD_BODY)))
        .route(STREAM_PATH, get(stream::stream))
        .route("/goals", post(goals::keep).layer(DefaultBodyLimit::max(GOALS_BODY)))
        .route_layer(middleware::from_fn_with_state(guard, guard::check))
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
}
