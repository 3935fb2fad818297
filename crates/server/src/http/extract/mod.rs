//! Extractors, and types shared by requests and responses.

pub mod accepted_encoding;
pub mod address;
pub mod caller;
pub mod idempotency;
pub mod json;
pub mod location;
pub mod pagination;
pub mod parameters;
mod scope;
pub mod text;
pub mod time;
pub mod version;
