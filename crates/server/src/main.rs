//! The companion server.
fn main() {}
