//! The administration site, the documentation site, and sign-in sessions.

pub mod admin_site;
pub mod documentation;
mod files;
pub mod session;
mod sign_in_limit;
pub mod ui_api;
