//! Tables of the resources that people manage.

pub mod access_tokens;
pub mod audiences;
pub mod edge_keys;
pub mod environments;
pub mod evaluations;
pub mod features;
pub mod goals;
pub mod identities;
pub mod organisations;
pub mod pipelines;
pub mod preferences;
pub mod projects;
pub mod sdk_keys;
pub mod sessions;
pub mod setup_links;
pub(in crate::store) mod token_scopes;
pub mod users;
