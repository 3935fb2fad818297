//! `/edge/v1`: what an edge follows, and what it reports. A server and an edge answer with the same code, so an edge can follow an edge.
//! `docs/protocol.md` describes the messages.

mod follow;
mod guard;
mod report;

use std::sync::Arc;

use axum::Router;
use axum::routing::post;

use crate::serving::Serving;

/// The routes of edges.
pub fn router<S: Clone + Send + Sync + 'static>(serving: &Arc<Serving>) -> Router<S> {
    Router::new()
        .route("/edge/v1/follow", post(follow::follow))
        .route("/edge/v1/reports", post(report::report))
        .with_state(Arc::clone(serving))
}
