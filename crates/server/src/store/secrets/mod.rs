//! The table of data keys.

pub mod data_keys;
