//! The REST API, one file for each resource, and its OpenAPI document.

pub mod access_tokens;
mod approvals;
mod audiences;
mod audit_log;
mod compare;
mod copy;
mod edge_keys;
mod environments;
mod experiments;
mod features;
mod goals;
mod insights;
mod integrations;
pub mod openapi;
mod organisation;
mod pipelines;
mod preferences;
mod preview;
mod projects;
pub mod rest;
mod sdk_keys;
mod setup_links;
mod targeting;
pub mod users;
