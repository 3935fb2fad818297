//! Whether a resource still has the revision that its writer has read.

use flagservice_rules::Instant;

use crate::app::{AppError, IfMatch, Result};

/// The first revision of a resource that people find by its key. It is the time, so that it comes after every revision of an earlier
/// resource with the same key: who has seen that one has not seen this one.
pub(in crate::app) fn first(now: Instant) -> u64 {
    u64::try_from(now.0).unwrap_or(1)
}

/// Refuses a writer who has read none of these revisions. Without `if_match`, the last write wins.
pub(in crate::app) fn check(if_match: IfMatch, current: u64) -> Result<()> {
    let Some(accepted) = if_match else { return Ok(()) };
    if accepted.contains(&current) {
        return Ok(());
    }
    let expected = accepted.into_iter().max().unwrap_or_default();
    Err(AppError::Stale { expected, current })
}
