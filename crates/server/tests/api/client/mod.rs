//! `/client/v1/{clientKey}`: what docs/wire.md says of loads, streams and goals.

mod cors;
mod goals;
mod load;
mod load_bodies;
mod stream_beat;
mod stream_changes;
mod stream_end;
mod stream_opening;
mod stream_time;
mod stream_without_user;
