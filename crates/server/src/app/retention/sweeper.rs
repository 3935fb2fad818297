//! The sweep: removes what has been kept long enough, from time to time and in small steps.

use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;

use crate::app::{App, Result};
use crate::domain::retention::{SweptKind, ago};
use crate::store::retention::sweep::{self, Periodic};

/// How often a node sweeps.
const INTERVAL: Duration = Duration::from_hours(1);

/// A node does not sweep if another one began to within this time.
const TURN: Duration = Duration::from_mins(30);

/// How many rows the first statement removes, the smallest and the largest.
const ROWS: u64 = 50;
const FEWEST_ROWS: u64 = 10;
const MOST_ROWS: u64 = 1_000;

/// How long a statement should take: other writers of SQLite wait for it.
const STEP: Duration = Duration::from_millis(5);

/// The pause between two transactions, in which others write.
const PAUSE: Duration = Duration::from_millis(20);

/// Sweeps from time to time, until the task is aborted.
pub async fn run(app: Arc<App>) {
    loop {
        let next = app.clock.after(INTERVAL);
        if let Err(error) = sweep_in_turn(&app).await {
            app.metrics.database.sweep_errors.inc();
            tracing::warn!(%error, "cannot remove what has been kept long enough now");
        }
        app.clock.sleep_until_within(next, INTERVAL).await;
    }
}

async fn sweep_in_turn(app: &App) -> Result<()> {
    let now = app.now();
    let mut write = app.store.write_bulk().await?;
    let taken = sweep::claim(write.connection().await?, Periodic::Sweep, now, ago(now, TURN)).await?;
    write.commit().await?;
    if !taken {
        return Ok(());
    }
    // One kind that fails does not keep the others.
    let mut failed = Ok(());
    for kind in SweptKind::ALL {
        let Some(before) = app.retention.ends_before(kind, now) else { continue };
        if let Err(error) = remove_kind(app, kind, before).await {
            failed = Err(error);
        }
    }
    // Always: an erasure or an earlier sweep may have found others reading.
    if !app.store.empty_log().await? {
        tracing::info!("SQLite's log could not be emptied, because others were reading; the next sweep tries again");
    }
    failed?;
    app.metrics.database.swept_at(now);
    Ok(())
}

/// Removes all rows of a kind that ended before an instant.
async fn remove_kind(app: &App, kind: SweptKind, before: Instant) -> Result<()> {
    let (mut all, mut rows) = (0, ROWS);
    loop {
        let mut write = app.store.write_bulk().await?;
        let connection = write.connection().await?;
        let started = tokio::time::Instant::now();
        let count = sweep::remove(connection, kind, before, rows).await?;
        let took = started.elapsed();
        write.commit().await?;
        app.metrics.database.swept(kind.name(), count);
        all += count;
        if count < rows {
            break;
        }
        rows = if took > STEP { (rows / 2).max(FEWEST_ROWS) } else { (rows * 2).min(MOST_ROWS) };
        tokio::time::sleep(PAUSE).await;
    }
    if all > 0 {
        tracing::info!(kind = kind.name(), count = all, "removed rows that were kept long enough");
    }
    Ok(())
}
