//! What a change is, once it is made, and requests that are sent again.

pub mod flag_change;
pub mod idempotency;
