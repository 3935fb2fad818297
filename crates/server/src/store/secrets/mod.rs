//! Table of data keys.

pub mod data_keys;
