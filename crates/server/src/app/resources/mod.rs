//! The resources that people manage, one file each.

pub mod access_tokens;
pub mod audiences;
pub mod edge_keys;
pub mod environments;
pub mod goals;
pub mod identities;
pub mod organisation;
pub mod phases;
pub mod pipelines;
pub mod preferences;
pub mod preview;
pub mod projects;
pub mod removal;
pub mod sdk_keys;
pub mod sessions;
pub mod setup_links;
pub mod targeting;
pub mod token_scopes;
pub mod users;
