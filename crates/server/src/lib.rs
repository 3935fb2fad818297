//! The Flag Service server: the REST API, evaluation and streams over one database, in one binary on one port.
//!
//! `http` → `app` → `store`, all with the types of `domain`; `serving` evaluates from memory; `live` follows the outbox and updates the
//! snapshots there; `analytics` sends annotations of changes to analytics services; `identity` asks the identity provider who signs in. See
//! ARCHITECTURE.md.

mod analytics;
pub mod app;
pub mod clock;
pub mod command;
pub mod domain;
pub mod edge;
pub mod error;
#[doc(hidden)]
pub mod fuzzing;
pub mod http;
pub mod identity;
mod live;
pub mod metrics;
pub mod network;
pub mod node;
pub mod log;
mod outgoing;
pub mod random;
mod sealing;
pub mod secret;
mod service;
pub mod serving;
pub mod store;
mod tls;

pub use service::{Options, Service};
