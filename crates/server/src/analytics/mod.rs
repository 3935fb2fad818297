//! What tells an analytics service of flag changes: the text of an annotation, the destination, and who delivers. It reads the
//! outbox by cursors of its own; nobody who changes a flag calls it or waits for it.

mod annotation;
mod connection;
mod destination;
mod dispatcher;
mod holding;
mod sender;
mod sending;
mod test_events;
mod worker;

pub use worker::DeliveryService;
