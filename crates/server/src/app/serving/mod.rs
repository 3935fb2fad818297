//! Serving clients and SDKs: snapshots and how they are updated, streams, goals, uses of keys.

pub mod client;
mod compile;
mod digest;
pub mod drain;
pub mod goal_keys;
pub mod goal_queue;
pub mod goal_writer;
pub mod key_use_writer;
pub mod key_uses;
pub mod notifications;
pub mod rules;
pub mod snapshot;
pub mod stream_token;
pub mod updates;
