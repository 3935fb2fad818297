//! Whether a resource still has the revision that its writer has read.

use crate::app::{AppError, Result};

/// Refuses a writer who has read another revision than the current one. Without `if_match`, the last write wins.
pub(in crate::app) fn check(if_match: Option<u64>, current: u64) -> Result<()> {
    match if_match {
        Some(expected) if expected != current => Err(AppError::Stale { expected, current }),
        Some(_) | None => Ok(()),
    }
}
