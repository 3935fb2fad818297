//! Delivery of changes to integrations: fan-out of the outbox, queue, leases, test events.

pub mod fan_out;
pub mod hook_url;
pub mod integrations;
pub mod leases;
pub mod outbound;
pub mod queue;
pub mod reach;
pub mod settings;
pub mod test_events;
