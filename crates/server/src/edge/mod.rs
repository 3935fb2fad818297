//! An edge: a node without a database. It follows an upstream, which is a server or another edge, serves clients and SDKs with the same
//! code as a server, keeps what it knows in files, and reports goals to the upstream.

mod attempt;
mod backend;
mod bundle_files;
pub mod follow_state;
mod follower;
mod report_files;
mod reporter;
mod sealed_files;
mod service;
mod upstream;

pub use service::{EdgeOptions, EdgeService};
