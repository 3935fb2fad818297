//! What the API promises, one file for each resource.

mod audiences;
mod bodies;
mod callers;
mod client;
mod client_keys;
mod environments;
mod features;
mod health;
mod projects;
mod targeting;
