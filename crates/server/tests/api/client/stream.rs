//! `GET /stream`: what it says first, what it sends when something changes, how time moves it, and how it ends.

mod beat;
mod changes;
mod end;
mod opening;
mod slow_reader;
mod time;
mod without_user;
