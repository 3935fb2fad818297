//! Writes in the background when keys were last used: that of several keys in one transaction.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;
use futures_util::FutureExt as _;

use crate::app::time_limit::within;
use crate::app::{App, Result};
use crate::node::background_tasks::BackgroundTask;
use crate::node::drain;
use crate::serving::last_use::UsedKey;
use crate::store::resources::{edge_keys, sdk_keys};

/// How long the writer pauses between two transactions, for the keys that are used meanwhile.
const PAUSE: Duration = Duration::from_secs(5);

/// How long the writer pauses after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(30);

/// Writes a use, with others that come meanwhile.
pub(super) fn write_later(app: &Arc<App>, key: UsedKey, at: Instant) {
    if app.key_uses.add(key, at) {
        tokio::spawn(write_all(Arc::clone(app)));
    }
}

async fn write_all(app: Arc<App>) {
    let mut stage = app.node.drain.subscribe();
    loop {
        let written = app.node.background_tasks.killable(BackgroundTask::KeyUses, write_next(&app));
        let pause = match AssertUnwindSafe(written).catch_unwind().await {
            Ok(Some(pause)) => pause,
            Ok(None) => return,
            Err(cause) => {
                // The keys are written again when they are used a minute later.
                app.node.background_tasks.panicked(BackgroundTask::KeyUses, &*cause);
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

async fn write(app: &App, uses: &BTreeMap<UsedKey, Instant>) -> Result<()> {
    let mut write = app.store.write_bulk().await?;
    let connection = write.connection().await?;
    for (key, at) in uses {
        // Another node may have written a later use, and a deleted key has none.
        match key {
            UsedKey::Sdk(id) => sdk_keys::touch(connection, id, *at).await?,
            UsedKey::Edge(id) => edge_keys::touch(connection, id, *at).await?,
        }
    }
    write.commit().await?;
    Ok(())
}
