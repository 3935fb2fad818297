//! The client in a page: the only code that uses browser APIs. It makes no decisions; [`crate::session`] does.

mod event_stream;
pub mod features;
pub mod integration;
mod listeners;
mod load_response;
pub mod runtime;
pub mod shell;
mod storage;
pub mod text;
