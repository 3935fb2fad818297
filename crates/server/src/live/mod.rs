//! Keeps open streams current: follows the outbox, and applies time conditions when they change.

mod follower;
pub mod listener;

pub use follower::Follower;
