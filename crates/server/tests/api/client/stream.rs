//! `GET /stream`: its first event, changes, time conditions, and its end.

mod heartbeat;
mod changes;
mod end;
mod opening;
mod slow_reader;
mod time;
mod signal;
