//! What of the metrics is not counted as it happens, but found out when they are read.

use std::time::Duration;

use crate::app::{App, Result};
pub use crate::metrics::Reading;
use crate::store::changes::outbox;
use crate::store::delivery::deliveries;

/// What the database tells.
pub struct Stored {
    outbox: u64,
    annotations: (u64, Duration),
}

/// Asks the database: how many entries the outbox has, how many annotations wait, and how long the oldest has.
///
/// # Errors
/// When the database fails.
pub async fn stored(app: &App) -> Result<Stored> {
    let connection = &mut *app.store.read().await?;
    let backlog = deliveries::whole_backlog(connection).await?;
    let age = backlog.oldest.map_or(0, |oldest| app.now().0.saturating_sub(oldest.0));
    let age = Duration::from_millis(u64::try_from(age).unwrap_or_default());
    Ok(Stored { outbox: outbox::count(connection).await?, annotations: (backlog.waiting, age) })
}

/// The rest, from memory.
pub fn reading(app: &App, stored: Option<Stored>) -> Reading {
    let version = |id| app.serving.snapshots.current(&id).map(|published| (id, published.snapshot.version));
    Reading {
        database_up: !app.store.health().is_lost(),
        database_age: app.store.health().age(),
        turned_away: app.store.health().turned_away(),
        outbox: stored.as_ref().map(|stored| stored.outbox),
        annotations: stored.map(|stored| stored.annotations),
        panics: app.node.background_tasks.panics().into_iter().map(|(task, panics)| (task.name(), panics)).collect(),
        unreadable: app.set_aside.list().into_iter().map(|(table, _)| table).collect(),
        versions: app.serving.snapshots.environments().into_iter().filter_map(version).collect(),
    }
}
