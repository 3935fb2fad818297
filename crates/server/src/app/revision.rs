//! Whether a resource is still as its writer has seen it.

use super::{AppError, Result};

/// Lets pass a writer who has seen the current revision, or who does not say which one: then the last writer wins.
pub(super) fn check(seen: Option<u64>, current: u64) -> Result<()> {
    match seen {
        Some(seen) if seen != current => Err(AppError::Stale { seen, current }),
        Some(_) | None => Ok(()),
    }
}
