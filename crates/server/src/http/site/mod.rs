//! The administration site, the documentation site, sign-in sessions, and the client's build without wasm.

pub mod admin_site;
pub mod api_viewer;
pub mod documentation;
mod files;
pub mod no_wasm_core;
pub mod session;
mod sign_in_limit;
pub mod ui_api;
