//! What keeps open streams current: it follows the outbox, and turns time conditions when their time comes.

mod follower;
pub mod listener;

pub use follower::Follower;
