//! Whether a resource still has the revision that its writer has read.

use crate::app::{AppError, IfMatch, Result};

/// Refuses a writer who has read none of these revisions. Without `if_match`, the last write wins.
pub(in crate::app) fn check(if_match: IfMatch, current: u64) -> Result<()> {
    let Some(accepted) = if_match else { return Ok(()) };
    if accepted.contains(&current) {
        return Ok(());
    }
    let expected = accepted.into_iter().max().unwrap_or_default();
    Err(AppError::Stale { expected, current })
}
