//! The types that all parts share. They use neither SQL nor HTTP.

pub mod access_token;
pub mod approval;
pub mod audience;
pub mod audit;
pub mod delivery;
pub mod environment;
pub mod feature;
pub mod flag_change;
pub mod goal;
pub mod idempotency;
pub mod ids;
pub mod integration;
pub mod organisation;
pub mod pipeline;
pub mod project;
pub mod retention;
pub mod role;
pub mod sdk_key;
pub mod targeting;
pub mod user;
