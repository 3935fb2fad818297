//! Rows that end: what a sweep removes, where somebody stands who is erased, and what a restore brings back.

pub mod credentials;
pub mod erasure;
pub mod marks;
pub mod sweep;
