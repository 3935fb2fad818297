//! Keeps open streams current: follows the outbox, and applies time conditions when they change.

mod follower;
pub mod listener;
mod progress_timeout;
mod reads;

pub use follower::Follower;
