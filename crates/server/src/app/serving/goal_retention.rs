//! Deletes goals after the time for which they are kept.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;

use crate::app::serving::goal_keys::{NOTED_EVERY, milliseconds};
use crate::app::{App, Result};
use crate::store::resources::goals;

/// How many days goals are kept, unless the operator says otherwise.
pub const DEFAULT_RETENTION_DAYS: NonZeroU32 = NonZeroU32::new(90).unwrap();

/// How often goals that are old enough are looked for.
const INTERVAL: Duration = Duration::from_hours(1);

/// How many goals are deleted in one transaction, so that other writers do not wait for long.
const BATCH: u64 = 500;

/// The pause between two of these transactions.
const PAUSE: Duration = Duration::from_millis(20);

/// Deletes old goals from time to time, until the task is aborted.
pub async fn run(app: Arc<App>, retention: Duration) {
    loop {
        let next = app.clock.after(INTERVAL);
        match delete_old(&app, retention).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "deleted goals that were kept for long enough"),
            Err(error) => tracing::warn!(%error, "cannot delete old goals now"),
        }
        app.clock.sleep_until(next).await;
    }
}

/// Deletes the goals, and the keys of goals, that have not been used for this time. Returns how many goals there were.
async fn delete_old(app: &App, retention: Duration) -> Result<u64> {
    let before = Instant(app.now().0.saturating_sub(milliseconds(retention)));
    let mut deleted = 0;
    loop {
        let mut write = app.store.write_bulk().await?;
        let count = goals::delete_before(write.connection().await?, before, BATCH).await?;
        if count < BATCH {
            let noted_before = Instant(before.0.saturating_sub(milliseconds(NOTED_EVERY)));
            goals::delete_keys_before(write.connection().await?, noted_before).await?;
        }
        write.commit().await?;
        deleted += count;
        if count < BATCH {
            return Ok(deleted);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
