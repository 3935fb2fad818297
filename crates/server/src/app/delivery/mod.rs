//! How changes reach integrations: the fan-out of the outbox, deliveries, test events.

pub mod fan_out;
pub mod integrations;
pub mod leases;
pub mod outbound;
pub mod queue;
pub mod test_events;
