//! The keys that encrypt: one master key in a file wraps the data keys in the database.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use flagservice_rules::Instant;

use crate::app::secrets::master_key::MasterKey;
use crate::domain::ids::EnvironmentId;
use crate::random::Random;
use crate::sealing::{self, SealingKey};
use crate::store::secrets::data_keys::{self, WrappedKey};
use crate::store::{self, Connection, Store};

/// What the keys of stream tokens are derived for.
const STREAM_TOKENS: &[u8] = b"flagservice stream tokens";

/// Keys of stream tokens by environment.
type TokenKeys = HashMap<EnvironmentId, Arc<[SealingKey]>>;

/// The data keys of this database, ready for use.
pub struct Keyring {
    file: PathBuf,
    keys: ArcSwap<Vec<SealingKey>>,
    /// Derived from the keys when an environment needs them.
    token_keys: ArcSwap<TokenKeys>,
    /// The newest key that could not be read; told once.
    unreadable: AtomicU64,
}

impl Keyring {
    /// Reads the master key and the data keys. Only an empty database may have both made for it.
    ///
    /// # Errors
    /// Names the key file and the remedy when it is missing, unreadable, or belongs to another database.
    pub async fn open(store: &Store, file: &Path, random: &dyn Random, now: Instant) -> anyhow::Result<Self> {
        let stored = data_keys::list(&mut *store.read_control().await?).await?;
        let keys = match stored.as_slice() {
            [] => make_first_keys(store, file, random, now).await?,
            // Nothing is written: the database may be a backup that is only looked at.
            stored => ready(&MasterKey::read_existing(file)?, stored)?,
        };
        Ok(Self {
            file: file.to_owned(),
            keys: ArcSwap::from_pointee(keys),
            token_keys: ArcSwap::default(),
            unreadable: AtomicU64::new(0),
        })
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
        sealing::seal(&self.keys.load(), purpose, plain, random)
    }

    /// Decrypts what [`Keyring::seal`] made; `None` for anything else.
    pub fn open_sealed(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
        sealing::open(&self.keys.load(), purpose, sealed)
    }

    /// Whether it names a key newer than all that are known: another node may have made it with that.
    pub fn is_behind(&self, sealed: &str) -> bool {
        sealing::key_of(sealed).is_some_and(|id| self.newest().is_none_or(|newest| id > newest))
    }

    /// Whether an older key than the newest encrypted it.
    pub(super) fn is_outdated(&self, sealed: &str) -> bool {
        sealing::key_of(sealed).is_some_and(|id| self.newest().is_some_and(|newest| id < newest))
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

    /// The keys of an environment's stream tokens. An edge has those of its environments, and cannot compute others from them.
    pub fn token_keys(&self, environment: &EnvironmentId) -> Arc<[SealingKey]> {
        let keys = self.keys.load();
        let newest = |keys: &[SealingKey]| keys.last().map(SealingKey::id);
        // Those of an older key may have been kept a moment after a newer one was taken up.
        if let Some(known) = self.token_keys.load().get(environment).filter(|known| newest(known) == newest(&keys)) {
            return Arc::clone(known);
        }
        let derived: Arc<[_]> = keys.iter().map(|key| key.derive(STREAM_TOKENS, environment.as_str())).collect();
        self.token_keys.rcu(|known| {
            let mut known = TokenKeys::clone(known);
            known.insert(environment.clone(), Arc::clone(&derived));
            known
        });
        derived
    }

    fn newest(&self) -> Option<u32> {
        self.keys.load().last().map(SealingKey::id)
    }
}

/// Makes the first data key, and the master key if there is no file, unless another node does it meanwhile.
async fn make_first_keys(
    store: &Store,
    file: &Path,
    random: &dyn Random,
    now: Instant,
) -> anyhow::Result<Vec<SealingKey>> {
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
    Ok(keys)
}

/// The keys, ready for use.
pub(super) fn ready(master: &MasterKey, stored: &[WrappedKey]) -> anyhow::Result<Vec<SealingKey>> {
    let ready = |key: &WrappedKey| Ok(SealingKey::new(u32::try_from(key.id)?, master.unwrap(key)?));
    stored.iter().map(ready).collect()
}
