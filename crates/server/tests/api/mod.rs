//! What the API promises, one file for each resource.

mod answers;
mod approvals;
mod audiences;
mod audit_log;
mod bodies;
mod callers;
mod client;
mod client_keys;
mod connections;
mod environments;
mod features;
mod goals;
mod health;
mod idempotency;
mod lists;
mod metrics;
mod organisation;
mod phases;
mod pipelines;
mod projects;
mod server_keys;
mod targeting;
mod texts;
mod tokens;
mod users;
mod versions;
