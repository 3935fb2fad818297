//! The types that all parts share. They use neither SQL nor HTTP.

pub mod access_token;
pub mod approval;
pub mod audience;
pub mod audit;
pub mod changes;
pub mod delivery;
pub mod edge_key;
pub mod environment;
pub mod experiments;
pub mod feature;
pub mod goal;
pub mod ids;
pub mod insights;
pub mod integration;
pub mod organisation;
pub mod pipeline;
pub mod project;
pub mod retention;
pub mod role;
pub mod sdk_key;
pub mod targeting;
pub mod unreadable_row;
pub mod user;
