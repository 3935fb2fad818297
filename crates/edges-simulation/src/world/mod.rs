//! A tree of nodes with its clients on simulated time: the origin, edges that follow it, edges that follow these, and clients of edges.
//! What happens is in one queue; nothing sleeps, and everything random comes from the seed.

mod client;
mod clients;
mod event;
mod invariants;
mod link;
mod links;
mod node;
mod nodes;
mod operations;
mod streams;
mod tree;
mod truth;

pub use tree::World;
