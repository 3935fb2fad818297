//! `/client/v1/{clientKey}`: what docs/protocol.md says of loads, streams and goals.

mod cors;
mod goals;
mod limits;
mod load;
mod origins;
mod stream;
