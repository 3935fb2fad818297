//! `GET /stream`: its first event, changes, time conditions, and its end.

mod changes;
mod end;
mod heartbeat;
mod opening;
mod signal;
mod slow_reader;
mod time;
