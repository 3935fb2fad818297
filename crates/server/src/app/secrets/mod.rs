//! Encryption: the master key, the data keys, and the credentials encrypted with them.

pub mod credentials;
pub mod key_change;
pub mod keyring;
mod master_key;
pub mod rotation;
pub mod sealed_rows;
pub mod signing;
