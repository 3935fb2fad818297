//! What of the metrics is not counted as it happens, but found out when they are read.

use super::{App, Result};
pub use crate::metrics::Reading;
use crate::store::outbox;

/// How many entries the outbox has.
///
/// # Errors
/// When the database fails.
pub async fn outbox_entries(app: &App) -> Result<u64> {
    Ok(outbox::count(&mut *app.store.read().await?).await?)
}

/// The rest, from memory.
pub fn reading(app: &App, outbox: Option<u64>) -> Reading {
    let version = |id| app.snapshots.current(&id).map(|published| (id, published.snapshot.version));
    Reading {
        database_up: !app.store.contact().is_lost(),
        database_age: app.store.contact().age(),
        outbox,
        versions: app.snapshots.environments().into_iter().filter_map(version).collect(),
    }
}
