//! What the API promises, one file for each resource.

mod answers;
mod audiences;
mod audit_log;
mod bodies;
mod callers;
mod client;
mod client_keys;
mod environments;
mod features;
mod goals;
mod health;
mod idempotency;
mod organisation;
mod pipelines;
mod projects;
mod server_keys;
mod targeting;
mod tokens;
mod users;
mod versions;
