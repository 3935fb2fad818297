//! The companion server of Flag Service: REST, evaluation and streams over one database, in one binary on one port.
//!
//! `http` → `app` → `store`, and everybody speaks the types of `domain`; `live` follows the outbox and fills the snapshot that
//! evaluation reads; `analytics` tells of changes outside. See ARCHITECTURE.md.

mod analytics;
pub mod app;
pub mod clock;
pub mod command;
pub mod domain;
pub mod http;
mod live;
pub mod metrics;
pub mod random;
pub mod secret;
mod service;
pub mod store;

pub use service::{Options, Service};
