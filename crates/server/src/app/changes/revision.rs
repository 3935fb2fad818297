//! Whether a resource is still as its writer has seen it.

use crate::app::{AppError, Result};

/// Lets pass a writer who has seen the current revision, or who does not say which one: then the last writer wins.
pub(in crate::app) fn check(seen: Option<u64>, current: u64) -> Result<()> {
    match seen {
        Some(seen) if seen != current => Err(AppError::Stale { seen, current }),
        Some(_) | None => Ok(()),
    }
}
