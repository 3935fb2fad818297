//! Sends flag changes to analytics services: annotation texts, destinations, and delivery. It reads the outbox with its own
//! cursors; changing a flag never calls it or waits for it.

mod annotation;
mod connection;
mod delivery_service;
mod destination;
mod dispatcher;
mod integration_sender;
mod leased_integration;
mod retry;
mod test_events;
mod worker;

pub use delivery_service::DeliveryService;
