//! The client in a page: the only code that knows the browser. It decides nothing: sessions do.

mod event_stream;
mod json;
mod page;
mod random;
mod request;
pub mod runtime;
pub mod shell;
pub mod storage;
mod timers;
