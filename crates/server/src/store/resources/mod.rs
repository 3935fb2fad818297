//! The tables of what people administer.

pub mod access_tokens;
pub mod audiences;
pub mod environments;
pub mod features;
pub mod goals;
pub mod organisations;
pub mod pipelines;
pub mod projects;
pub mod sdk_keys;
pub mod sessions;
pub mod users;
