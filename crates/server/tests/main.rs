//! The server's tests. Most of them use HTTP and run on SQLite and on PostgreSQL; `fixture` provides databases, servers and clients.

#![cfg(test)]

mod api;
mod change;
mod clock_set_back;
mod command;
mod database_url;
mod demo;
mod durability;
mod edge;
mod encryption;
mod erasure;
mod every_route_is_guarded;
mod fixture;
mod key_rotation;
mod keyring;
mod log;
mod migrations;
mod nodes;
mod openapi;
mod recompilation;
mod retention;
mod shutdown;
mod store_contract;
