//! For browsers: the administration pages, the documentation, and sessions.

pub mod admin_site;
pub mod documentation;
mod files;
pub mod session;
mod sign_in_limit;
pub mod ui_api;
