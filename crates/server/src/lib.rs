//! The Flag Service server: the REST API, evaluation and streams over one database, in one binary on one port.
//!
//! `http` → `app` → `store`, all with the types of `domain`; `serving` evaluates from memory; `live` follows the outbox and updates the
//! snapshots there; `analytics` sends annotations of changes to analytics services; `identity` asks the identity provider who signs in. See
//! ARCHITECTURE.md.

// These panic when what they write to is closed or full: see `log.rs` and `command/output.rs`.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

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
pub mod log;
pub mod metrics;
pub mod network;
pub mod node;
mod outgoing;
pub mod random;
mod sealing;
pub mod secret;
mod service;
pub mod serving;
pub mod store;
mod tls;

pub use service::{Options, Service};
