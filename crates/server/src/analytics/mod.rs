//! Sends flag changes to analytics services, webhooks and Slack: texts, destinations, and delivery. It reads the outbox with its own
//! cursors; changing a flag never calls it or waits for it.

mod analytics_project;
mod annotation;
mod connection;
mod delivery_service;
mod destination;
mod dispatcher;
mod hook;
mod integration_sender;
mod leased_integration;
mod message;
mod redaction;
mod retry;
mod slack;
mod test_events;
pub mod texts;
mod webhook;
mod worker;

pub use delivery_service::DeliveryService;
