//! The keys that encrypt: one master key in a file wraps the data keys in the database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use arc_swap::ArcSwap;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::XChaCha20Poly1305;
use flagservice_rules::Instant;

use crate::app::secrets::cipher::{decrypt, encrypt};
use crate::app::secrets::master_key::MasterKey;
use crate::random::Random;
use crate::store::secrets::data_keys::{self, WrappedKey};
use crate::store::{self, Connection, Store};

const ID_BYTES: usize = 4;

/// The data keys of this database, ready for use.
pub struct Keyring {
    file: PathBuf,
    keys: ArcSwap<Vec<DataKey>>,
    /// The newest key that could not be read; told once.
    unreadable: AtomicU64,
}

pub(super) struct DataKey {
    id: u32,
    cipher: XChaCha20Poly1305,
}

impl Keyring {
    /// Reads the master key and the data keys. Only an empty database may have both made for it.
    ///
    /// # Errors
    /// Names the key file and the remedy when it is missing, unreadable, or belongs to another database.
    pub async fn open(store: &Store, file: &Path, random: &dyn Random, now: Instant) -> anyhow::Result<Self> {
        let mut write = store.write().await?;
        let connection = write.connection().await?;
        let empty = data_keys::claim_first(connection, now).await?;
        let master = match MasterKey::read(file)? {
            Some(key) => key,
            None if empty => MasterKey::make(file, random)?,
            None => MasterKey::read_existing(file)?,
        };
        if empty {
            data_keys::put(connection, data_keys::FIRST, &master.wrap_new(random)?).await?;
        }
        let keys = ready(&master, &data_keys::list(connection).await?)?;
        write.commit().await?;
        Ok(Self { file: file.to_owned(), keys: ArcSwap::from_pointee(keys), unreadable: AtomicU64::new(0) })
    }

    /// The file of the master key.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Encrypts with the newest key; `purpose` must be the same when it is opened. The text is safe in a URL.
    ///
    /// # Errors
    /// Only when the cipher fails, which it does for no text that fits in memory.
    pub fn seal(&self, purpose: &[u8], plain: &[u8], random: &dyn Random) -> anyhow::Result<String> {
        seal_with(&self.keys.load(), purpose, plain, random)
    }

    /// Decrypts what [`Keyring::seal`] made; `None` for anything else.
    pub fn open_sealed(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
        open_with(&self.keys.load(), purpose, sealed)
    }

    /// Whether it names a key newer than all that are known: another node may have made it with that.
    pub fn is_behind(&self, sealed: &str) -> bool {
        parts(sealed).is_some_and(|(id, _)| self.newest().is_none_or(|newest| id > newest))
    }

    /// Whether an older key than the newest encrypted it.
    pub(super) fn is_outdated(&self, sealed: &str) -> bool {
        parts(sealed).is_some_and(|(id, _)| self.newest().is_some_and(|newest| id < newest))
    }

    /// Takes up the keys that the database has now, if the newest is not the known one.
    ///
    /// # Errors
    /// When the database fails. A key that the key file does not open is told in the log; then those that are known stay.
    pub async fn follow(&self, connection: &mut Connection) -> store::Result<()> {
        let newest = data_keys::newest(connection).await?;
        if self.newest().map(u64::from) == Some(newest) {
            return Ok(());
        }
        let stored = data_keys::list(connection).await?;
        // The file is read again: another key may have wrapped them since.
        match MasterKey::read_existing(&self.file).and_then(|master| ready(&master, &stored)) {
            Ok(keys) => {
                self.keys.store(Arc::new(keys));
                tracing::info!(newest, "data keys were taken up");
            }
            Err(error) => {
                if self.unreadable.swap(newest, Ordering::Relaxed) != newest {
                    tracing::error!(
                        error = format!("{error:#}"),
                        "a new data key cannot be read; the known ones stay in use"
                    );
                }
            }
        }
        Ok(())
    }

    fn newest(&self) -> Option<u32> {
        self.keys.load().last().map(|key| key.id)
    }
}

/// The keys, ready for use.
pub(super) fn ready(master: &MasterKey, stored: &[WrappedKey]) -> anyhow::Result<Vec<DataKey>> {
    let ready = |key: &WrappedKey| Ok(DataKey { id: u32::try_from(key.id)?, cipher: master.cipher_of(key)? });
    stored.iter().map(ready).collect()
}

/// Encrypts with the newest of the keys.
pub(super) fn seal_with(keys: &[DataKey], purpose: &[u8], plain: &[u8], random: &dyn Random) -> anyhow::Result<String> {
    let DataKey { id, cipher } = keys.last().context("there is no data key")?;
    let mut sealed = id.to_be_bytes().to_vec();
    sealed.extend(encrypt(cipher, purpose, plain, random)?);
    Ok(URL_SAFE_NO_PAD.encode(sealed))
}

/// Decrypts with the one of the keys that encrypted it.
pub(super) fn open_with(keys: &[DataKey], purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
    let (id, rest) = parts(sealed)?;
    let key = keys.iter().find(|known| known.id == id)?;
    decrypt(&key.cipher, purpose, &rest)
}

/// The id of the key that encrypted it.
pub(super) fn key_of(sealed: &str) -> Option<u64> {
    parts(sealed).map(|(id, _)| u64::from(id))
}

/// The id of the key, and what it encrypted.
fn parts(sealed: &str) -> Option<(u32, Vec<u8>)> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (id, rest) = sealed.split_first_chunk::<ID_BYTES>()?;
    Some((u32::from_be_bytes(*id), rest.to_vec()))
}
