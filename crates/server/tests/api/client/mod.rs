//! `/client/v1/{clientKey}`: loads, streams and goals as described in docs/protocol.md.

mod cors;
mod goals;
mod limits;
mod load;
mod origins;
mod stream;
