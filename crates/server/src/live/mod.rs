//! What keeps open streams current: it follows the outbox, and turns time conditions when their time comes.

mod compile;
mod follower;

pub use follower::Follower;
