//! The client in a page: the only code that uses browser APIs. It makes no decisions; [`crate::session`] does.

mod event_stream;
mod json;
mod page;
mod random;
mod request;
pub mod runtime;
pub mod shell;
pub mod storage;
mod timers;
