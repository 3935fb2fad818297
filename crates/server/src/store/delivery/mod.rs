//! Tables of integrations and their deliveries.

pub mod deliveries;
pub mod fan_outs;
pub mod integrations;
