//! The targets, each with the invariants that its first comment lists.

pub mod annotation;
pub mod cursor;
pub mod forwarded;
pub mod import;
pub mod json;
pub mod pattern;
pub mod request;
pub mod rules;
pub mod session;
pub mod since;
pub mod stream_token;
pub mod targeting;
