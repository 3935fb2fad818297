//! Data that ends: the sweep that removes what has been kept long enough, and the erasure of a person or a user.

pub mod erasure;
mod redaction;
pub mod sweeper;
