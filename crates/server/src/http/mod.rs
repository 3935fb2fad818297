//! HTTP: the REST API, the SDK endpoints, the site, and what they share. It uses `app`, never the database.

mod api;
mod edge;
mod extract;
mod middleware;
mod problem;
mod sdk;
mod server;
mod site;

pub use api::openapi::document;
#[doc(hidden)]
pub use extract::address::Address;
pub use server::edge_router::{EdgeStatus, metrics_router as edge_metrics_router, router as edge_router};
pub use server::metrics::router as metrics_router;
pub use server::router::router;
pub use server::serve::serve;
pub use server::settings::{CallerLimits, ConnectionLimits, Settings};
