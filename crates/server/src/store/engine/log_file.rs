//! SQLite's log beside the database file: emptied, so that no copy of what was deleted stays in it.

use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, ConnectOptions as _, Connection as _, Executor as _, Row as _};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::store::{Error, Result};

/// How long an attempt waits for others who read. Writers wait meanwhile.
const WAIT: &str = "PRAGMA busy_timeout = 20";

/// How often it is attempted.
const ATTEMPTS: u32 = 20;

/// The pause before the next attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Tells everything that empties the log, each on a connection of its own, that the database is being closed.
pub(in crate::store) struct Emptying(watch::Sender<bool>);

impl Default for Emptying {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Emptying {
    /// Moves the log's pages into the database file, and truncates the log. False if others were reading old pages all the time, or
    /// the database is being closed. Closes its connection even if the caller no longer waits.
    pub(in crate::store) async fn run(&self, options: &AnyConnectOptions) -> Result<bool> {
        let emptied = tokio::spawn(empty(options.clone(), self.0.subscribe())).await;
        emptied.map_err(|error| Error::Io(error.into()))?
    }

    /// Starts no more, and waits until all connections are closed: SQLite removes its log with the last one.
    pub(in crate::store) async fn end(&self) {
        self.0.send_replace(true);
        self.0.closed().await;
    }
}

async fn empty(options: AnyConnectOptions, mut closing: watch::Receiver<bool>) -> Result<bool> {
    if *closing.borrow() {
        return Ok(false);
    }
    let mut connection = options.connect().await?;
    let emptied = attempt_to_empty(&mut connection, &mut closing).await;
    connection.close().await?;
    emptied
}

async fn attempt_to_empty(connection: &mut AnyConnection, closing: &mut watch::Receiver<bool>) -> Result<bool> {
    connection.execute(WAIT).await?;
    for attempt in 0..ATTEMPTS {
        if attempt > 0 && timeout(PAUSE, closing.wait_for(|closing| *closing)).await.is_ok() {
            break;
        }
        // Most of the work is done here, while others write.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").await?;
        let row = connection.fetch_one("PRAGMA wal_checkpoint(TRUNCATE)").await?;
        let busy: i64 = row.try_get(0)?;
        if busy == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Writes the file again, without what SQLite left behind when it moved rows between pages. Writers wait meanwhile.
pub(in crate::store) async fn compact(options: &AnyConnectOptions) -> Result<()> {
    let mut connection = options.connect().await?;
    connection.execute("PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON").await?;
    connection.execute("VACUUM").await?;
    connection.close().await
}
