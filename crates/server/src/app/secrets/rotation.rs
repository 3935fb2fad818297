//! Replaces data keys that are old, in steps: a new key, then what is stored for good is encrypted with it, then keys that nothing needs
//! are removed. After each step every node can read everything; a turn continues where one before was interrupted.

use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;

use crate::app::App;
use crate::app::secrets::sealed_rows::SealedRow;
use crate::app::secrets::{key_change, sealed_rows};
use crate::domain::retention::ago;
use crate::sealing;
use crate::store::retention::sweep::{self, Periodic};
use crate::store::secrets::data_keys::{self, WrappedKey};

/// How often a node looks at the age of the newest key.
const INTERVAL: Duration = Duration::from_hours(1);

/// A node does nothing if another one began to within this time.
const TURN: Duration = Duration::from_mins(30);

/// The pause between two transactions, in which others write.
const PAUSE: Duration = Duration::from_millis(20);

/// Replaces data keys from time to time, until the task is aborted.
pub async fn run(app: Arc<App>) {
    loop {
        let next = app.clock.after(INTERVAL);
        if let Err(error) = rotate_in_turn(&app).await {
            app.metrics.database.data_key_errors.inc();
            tracing::warn!(error = format!("{error:#}"), "cannot replace data keys now");
        }
        app.clock.sleep_until_within(next, INTERVAL).await;
    }
}

async fn rotate_in_turn(app: &App) -> anyhow::Result<()> {
    let now = app.now();
    let mut write = app.store.write_bulk().await?;
    let taken = sweep::claim(write.connection().await?, Periodic::KeyRotation, now, ago(now, TURN)).await?;
    write.commit().await?;
    if taken {
        replace_old(app, now).await?;
        encrypt_again(app).await?;
        remove_unneeded(app, now).await?;
    }
    if let Some(newest) = data_keys::list(&mut *app.store.read().await?).await?.last() {
        app.metrics.database.data_key_created_at(newest.created_at);
    }
    Ok(())
}

/// Makes a new key if the newest one is old. The other nodes take it up before they see anything that it encrypted.
async fn replace_old(app: &App, now: Instant) -> anyhow::Result<()> {
    let Some(longest) = app.retention.data_key else { return Ok(()) };
    let is_old = |keys: &[WrappedKey]| keys.last().is_some_and(|newest| newest.created_at <= ago(now, longest));
    if !is_old(&data_keys::list(&mut *app.store.read().await?).await?) {
        return Ok(());
    }
    let mut write = app.store.write_bulk().await?;
    let connection = write.connection().await?;
    data_keys::lock(connection).await?;
    let stored = data_keys::list(connection).await?;
    // The command line may have made one meanwhile.
    if is_old(&stored) {
        let (_, newest) = key_change::add(connection, app, &stored).await?;
        write.commit().await?;
        app.metrics.database.data_keys_rotated.inc();
        tracing::info!(newest, "a data key was created, because the one before was old");
    }
    Ok(())
}

/// Encrypts with the newest key what older ones have encrypted and is stored for good.
async fn encrypt_again(app: &App) -> anyhow::Result<()> {
    let stored = {
        let connection = &mut *app.store.read().await?;
        app.keyring.follow(connection).await?;
        sealed_rows::all(connection).await?
    };
    let mut count = 0_u64;
    for (row, before) in stored.into_iter().filter(|(_, sealed)| app.keyring.is_outdated(sealed)) {
        let purpose = row.purpose();
        // What no key opens now, none will: it has to be entered again, and says so when it is used.
        let Some(plain) = app.keyring.open_sealed(&purpose, &before) else { continue };
        let sealed = app.keyring.seal(&purpose, &plain, &*app.random)?;
        let mut write = app.store.write_bulk().await?;
        // An edit in between stays: the next turn encrypts it again.
        let unchanged = row.reseal(write.connection().await?, &before, &sealed).await?;
        write.commit().await?;
        count = count.saturating_add(u64::from(unchanged));
        tokio::time::sleep(PAUSE).await;
    }
    if count > 0 {
        tracing::info!(
            count,
            "credentials of integrations and keys of experiments were encrypted with the newest data key"
        );
    }
    Ok(())
}

/// Removes the keys that neither stream tokens nor anything stored needs.
async fn remove_unneeded(app: &App, now: Instant) -> anyhow::Result<()> {
    let past = key_change::past_overlap(&data_keys::list(&mut *app.store.read().await?).await?, now);
    if past.is_empty() {
        return Ok(());
    }
    let mut write = app.store.write_bulk().await?;
    let connection = write.connection().await?;
    data_keys::lock(connection).await?;
    let opens = |(row, sealed): &(SealedRow, String)| app.keyring.open_sealed(&row.purpose(), sealed).is_some();
    let stored = sealed_rows::all(connection).await?;
    let needed: Vec<_> = stored
        .iter()
        .filter(|one| opens(one))
        .filter_map(|(_, sealed)| sealing::key_of(sealed).map(u64::from))
        .collect();
    let mut removed = Vec::new();
    for id in past.into_iter().filter(|id| !needed.contains(id)) {
        data_keys::remove(connection, id).await?;
        removed.push(id);
    }
    write.commit().await?;
    if !removed.is_empty() {
        tracing::info!(?removed, "data keys that nothing needs were removed");
    }
    Ok(())
}
