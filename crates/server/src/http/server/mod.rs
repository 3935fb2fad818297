//! The HTTP server: router, settings, connections, health and metrics.

mod connection_limits;
pub mod edge_router;
pub mod health;
pub mod metrics;
pub mod router;
pub mod serve;
pub mod settings;
mod write_timeout;
