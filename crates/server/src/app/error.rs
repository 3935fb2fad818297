//! What errors of the database mean for a caller.

pub use crate::error::{AppError, Result};
use crate::store::{self, Fault, fault, is_busy, is_unreachable, is_unreadable};

impl From<store::Error> for AppError {
    fn from(error: store::Error) -> Self {
        let known = fault(&error);
        if let Some(fault) = known {
            tracing::error!(%error, ?fault, "the database cannot be written");
        }
        let (unreachable, busy, unreadable) = (is_unreachable(&error), is_busy(&error), is_unreadable(&error));
        let cause = anyhow::Error::new(error).context("database");
        match known {
            Some(Fault::Full) => Self::StorageFull,
            Some(Fault::ReadOnly) => Self::ReadOnlyStorage,
            None if unreachable => Self::Unavailable(cause),
            None if busy => Self::Busy(cause),
            None if unreadable => Self::Unreadable(cause),
            None => Self::Internal(cause),
        }
    }
}
