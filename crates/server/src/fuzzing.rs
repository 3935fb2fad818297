//! What the fuzz targets of `crates/fuzz` need of the inside of the server. It is compiled always: a cargo feature would make cargo
//! compile the server twice, with and without it.

pub use crate::analytics::texts::{annotation, slack_message};
pub use crate::http::Address;
