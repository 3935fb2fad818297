//! The administration site, the documentation site, signing in, and the client's build without wasm.

pub mod admin_site;
pub mod api_viewer;
pub mod documentation;
mod files;
pub mod no_wasm_core;
mod return_path;
pub mod session;
mod sign_in_limit;
pub mod single_sign_on;
mod static_body;
pub mod ui_api;
