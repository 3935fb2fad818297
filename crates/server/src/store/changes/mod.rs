//! Tables of changes: targetings, outbox, approvals, audit log.

pub mod approval_comments;
pub mod approvals;
pub mod audit_log;
pub mod idempotency;
pub mod outbox;
pub mod targetings;
