//! Delivery of changes to integrations: fan-out of the outbox, queue, leases, test events.

pub mod fan_out;
pub mod integrations;
pub mod leases;
pub mod outbound;
pub mod queue;
pub mod test_events;
