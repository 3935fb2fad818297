//! SQLite's log beside the database file: emptied, so that no copy of what was deleted stays in it.

use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, Row as _};
use tokio::time::sleep;

use crate::store::Result;

/// How long an attempt waits for others who read. Writers wait meanwhile.
const WAIT: &str = "PRAGMA busy_timeout = 20";

/// How often it is attempted.
const ATTEMPTS: u32 = 20;

/// The pause before the next attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Moves the log's pages into the database file, and truncates the log. False if others were reading old pages all the time.
pub(in crate::store) async fn empty(options: &AnyConnectOptions) -> Result<bool> {
    let mut connection = options.connect().await?;
    connection.execute(WAIT).await?;
    let mut emptied = false;
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            sleep(PAUSE).await;
        }
        // Most of the work is done here, while others write.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").await?;
        let row = connection.fetch_one("PRAGMA wal_checkpoint(TRUNCATE)").await?;
        let busy: i64 = row.try_get(0)?;
        if busy == 0 {
            emptied = true;
            break;
        }
    }
    connection.close().await?;
    Ok(emptied)
}

/// Writes the file again, without what SQLite left behind when it moved rows between pages. Writers wait meanwhile.
pub(in crate::store) async fn compact(options: &AnyConnectOptions) -> Result<()> {
    let mut connection = options.connect().await?;
    connection.execute("PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON").await?;
    connection.execute("VACUUM").await?;
    connection.close().await
}
