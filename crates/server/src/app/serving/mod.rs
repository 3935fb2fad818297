//! What serving needs of the database: compiling snapshots and following their changes, writing goals and uses of keys.

pub mod backend;
mod compile;
pub mod goal_keys;
pub mod goal_writer;
pub mod key_use_writer;
pub mod key_uses;
pub mod notifications;
pub mod updates;
