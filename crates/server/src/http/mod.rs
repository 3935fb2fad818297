//! HTTP: the router, who asks, problem answers, and one file for each resource. It asks `app`, never the database.

mod api;
mod extract;
mod middleware;
mod problem;
mod sdk;
mod server;
mod site;

pub use api::openapi::document;
pub use server::metrics::router as metrics_router;
pub use server::router::router;
pub use server::serve::serve;
pub use server::settings::{Limits, Settings};
