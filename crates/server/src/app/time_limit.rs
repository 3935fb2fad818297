//! The time limit of work that no request waits for: a network that swallows everything closes no connection.

use std::time::Duration;

use anyhow::anyhow;
use tokio::time::timeout;

use crate::app::{AppError, Result};

/// How long a transaction in the background may take. PostgreSQL ends it earlier, if it can.
const BACKGROUND_TIMEOUT: Duration = Duration::from_secs(30);

/// Does the work, and gives up when it takes too long.
///
/// # Errors
/// Those of the work; [`AppError::Unavailable`] when it took too long.
pub(in crate::app) async fn within<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let too_long = |_| AppError::Unavailable(anyhow!("the database did not respond in time"));
    timeout(BACKGROUND_TIMEOUT, work).await.map_err(too_long)?
}
