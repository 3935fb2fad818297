//! Writes in the background when keys were last used: that of several keys in one transaction.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;
use futures_util::FutureExt as _;

use crate::app::background_tasks::BackgroundTask;
use crate::app::serving::drain;
use crate::app::serving::snapshot::SdkKeyRef;
use crate::app::time_limit::within;
use crate::app::{App, Result};
use crate::domain::ids::SdkKeyId;
use crate::store::resources::sdk_keys;

/// How long the writer pauses between two transactions, for the keys that are used meanwhile.
const PAUSE: Duration = Duration::from_secs(5);

/// How long the writer pauses after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(30);

/// Notes that a key is used now.
pub fn note(app: &Arc<App>, key: &SdkKeyRef) {
    let now = app.now();
    if key.last_use.is_due(now) && app.key_uses.add(key.id.clone(), now) {
        tokio::spawn(write_all(Arc::clone(app)));
    }
}

async fn write_all(app: Arc<App>) {
    let mut stage = app.drain.subscribe();
    loop {
        let written = app.background_tasks.killable(BackgroundTask::KeyUses, write_next(&app));
        let pause = match AssertUnwindSafe(written).catch_unwind().await {
            Ok(Some(pause)) => pause,
            Ok(None) => return,
            Err(cause) => {
                // The keys are written again when they are used a minute later.
                app.background_tasks.panicked(BackgroundTask::KeyUses, &*cause);
                PAUSE
            }
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            // The node writes the rest when it closes the database.
            () = drain::ending(&mut stage) => return,
        }
    }
}

/// Writes the next uses, or queues them again if that fails. Returns how long to pause; none if there are no uses.
async fn write_next(app: &App) -> Option<Duration> {
    let _turn = app.key_uses.turn.lock().await;
    let uses = app.key_uses.next()?;
    let Err(error) = within(write(app, &uses)).await else { return Some(PAUSE) };
    tracing::warn!(?error, keys = uses.len(), "the last use of keys was not written; the next attempt follows");
    app.key_uses.put_back(uses);
    Some(RETRY_DELAY)
}

/// Writes what still waits when the node stops. A use that cannot be written then is lost.
pub async fn write_rest(app: &App) {
    let _turn = app.key_uses.turn.lock().await;
    while let Some(uses) = app.key_uses.next() {
        if let Err(error) = within(write(app, &uses)).await {
            tracing::warn!(?error, keys = uses.len(), "the last use of keys was not written");
            return;
        }
    }
}

async fn write(app: &App, uses: &BTreeMap<SdkKeyId, Instant>) -> Result<()> {
    let mut write = app.store.write_bulk().await?;
    let connection = write.connection().await?;
    for (key, at) in uses {
        // Another node may have written a later use, and a deleted key has none.
        sdk_keys::touch(connection, key, *at).await?;
    }
    write.commit().await?;
    Ok(())
}
