//! Keeps open streams current: follows the outbox, and applies time conditions when they change.

mod follower;
pub mod listener;
mod progress_timeout;

pub use follower::Follower;
