//! The one path for changes: plan, gate, approval, version, outbox and audit log.

pub mod approvals;
pub mod aspects;
pub(in crate::app) mod audience_budget;
pub mod audit;
pub mod change;
pub mod decisions;
pub(in crate::app) mod feature_removal;
pub mod gate;
pub mod idempotency;
pub mod patterns;
pub mod plan;
pub(in crate::app) mod revision;
mod rule_changes;
pub mod running_requests;
pub mod schedule;
pub(in crate::app) mod served;
mod staleness;
pub mod targeting;
mod transitions;
pub mod usable_audiences;
pub(in crate::app) mod violations;
