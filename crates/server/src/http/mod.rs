//! HTTP: the router, who asks, problem answers, and one file for each resource. It asks `app`, never the database.

mod audiences;
mod caller;
mod client;
mod client_keys;
mod environments;
mod features;
mod health;
mod json;
mod list;
mod path;
mod problem;
mod projects;
mod request_log;
mod router;
mod targeting;
mod text;
mod version;

pub use router::router;
