//! The one path for changes: plan, gate, approval, version, outbox and audit log.

pub mod approvals;
pub mod aspects;
pub(in crate::app) mod audience_budget;
pub mod audit;
pub mod change;
pub mod decisions;
pub mod gate;
pub mod idempotency;
pub mod patterns;
pub mod plan;
pub(in crate::app) mod revision;
pub mod running;
mod staleness;
pub mod targeting;
pub mod usable_audiences;
pub(in crate::app) mod violations;
