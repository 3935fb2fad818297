//! HTTP: the router, who asks, problem answers, and one file for each resource. It asks `app`, never the database.

mod access_tokens;
mod address;
mod audiences;
mod audit_log;
mod caller;
mod client;
mod docs;
mod environments;
mod features;
mod goals;
mod health;
mod impatient;
mod json;
mod once;
mod organisation;
mod page;
mod parameters;
mod pipelines;
mod problem;
mod projects;
mod request_log;
mod request_timeout;
mod router;
mod sdk_keys;
mod serve;
mod settings;
mod targeting;
mod text;
mod time;
mod users;
mod version;

pub use docs::document;
pub use router::router;
pub use serve::serve;
pub use settings::{Limits, Settings};
