//! Changes keys at once: adds a new data key, or encrypts all data keys with another master key. `rotation.rs` replaces old data keys in
//! the background.

use std::path::Path;

use anyhow::{Context, ensure};
use flagservice_rules::Instant;

use crate::app::App;
use crate::app::secrets::master_key::MasterKey;
use crate::app::secrets::{keyring, sealed_rows};
use crate::sealing;
use crate::serving::stream_token::STREAM_TOKEN_LIFETIME_MS;
use crate::store::Connection;
use crate::store::secrets::data_keys::{self, WrappedKey};

/// How long a data key is kept after its successor was made, in milliseconds: well beyond what it has encrypted.
const OVERLAP_MS: i64 = 2 * STREAM_TOKEN_LIFETIME_MS;

/// What a rotation did.
pub struct Rotation {
    /// The key that encrypts from now on.
    pub newest: u64,
    /// The older keys, which still decrypt.
    pub older: Vec<u64>,
    /// The keys whose overlap was over.
    pub removed: Vec<u64>,
}

/// Makes a new data key, encrypts with it what is stored for good, and removes the keys whose successor is older than the
/// overlap. Running nodes follow.
///
/// # Errors
/// When the key file or the database fails; then nothing has changed.
pub async fn rotate(app: &App) -> anyhow::Result<Rotation> {
    let (now, random) = (app.now(), &*app.random);
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    data_keys::lock(connection).await?;
    let stored = data_keys::list(connection).await?;
    let (master, newest) = add(connection, app, &stored).await?;
    let keys = keyring::ready(&master, &data_keys::list(connection).await?)?;
    for (row, encrypted) in sealed_rows::all(connection).await? {
        let purpose = row.purpose();
        // What no key opens now, none will: its keys have to be entered again, and say so when they are used.
        if let Some(plain) = sealing::open(&keys, &purpose, &encrypted) {
            let sealed = sealing::seal(&keys, &purpose, &plain, random)?;
            row.reseal(connection, &encrypted, &sealed).await?;
        }
    }
    let removed = past_overlap(&data_keys::list(connection).await?, now);
    for id in &removed {
        data_keys::remove(connection, *id).await?;
    }
    let older = stored.iter().map(|key| key.id).filter(|id| !removed.contains(id)).collect();
    write.commit().await?;
    Ok(Rotation { newest, older, removed })
}

/// Adds a data key to the stored ones, which the caller has locked. Returns the master key and the id.
///
/// # Errors
/// When the key file or the database fails.
pub(super) async fn add(
    connection: &mut Connection,
    app: &App,
    stored: &[WrappedKey],
) -> anyhow::Result<(MasterKey, u64)> {
    let master = MasterKey::read_existing(app.keyring.file())?;
    // A key that another master key wraps would shut out the others.
    stored.iter().try_for_each(|key| master.unwrap(key).map(drop))?;
    let newest = stored.last().context("there is no data key")?.id.saturating_add(1);
    data_keys::insert(connection, newest, &master.wrap_new(&*app.random)?, app.now()).await?;
    Ok((master, newest))
}

/// The keys whose successor was made so long ago that no stream token needs them.
pub(super) fn past_overlap(stored: &[WrappedKey], now: Instant) -> Vec<u64> {
    let with_successors = stored.iter().zip(stored.iter().skip(1));
    let is_past = |successor: &WrappedKey| now.0.saturating_sub(successor.created_at.0) >= OVERLAP_MS;
    with_successors.filter(|(_, successor)| is_past(successor)).map(|(key, _)| key.id).collect()
}

/// Wraps all data keys with the master key of another file, which is made if it is not there. Returns how many.
///
/// # Errors
/// When that file holds the key in use, or a file or the database fails; then the old file still opens the database.
pub async fn rewrap(app: &App, file: &Path) -> anyhow::Result<usize> {
    let random = &*app.random;
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    data_keys::lock(connection).await?;
    let stored = data_keys::list(connection).await?;
    let old = MasterKey::read_existing(app.keyring.file())?;
    stored.iter().try_for_each(|key| old.unwrap(key).map(drop))?;
    // On the disk before anything depends on it.
    let new = match MasterKey::read(file)? {
        Some(key) => key,
        None => MasterKey::make(file, random)?,
    };
    ensure!(
        !new.is_same(&old),
        "{} holds the key that is in use. Name a file that is not there, and a key is made in it.",
        file.display()
    );
    for key in &stored {
        data_keys::put(connection, key.id, &new.rewrap(key, &old, random)?).await?;
    }
    write.commit().await?;
    Ok(stored.len())
}
