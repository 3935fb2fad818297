//! The server: its router, settings and connections, its health and metrics.

pub mod health;
pub mod metrics;
pub mod router;
pub mod serve;
pub mod settings;
mod write_timeout;
