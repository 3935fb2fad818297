//! The keys that encrypt: one master key in a file wraps the data keys in the database.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use flagservice_rules::Instant;

use crate::random::{Random, bytes};
use crate::store::Store;
use crate::store::data_keys::{self, WrappedKey};

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
const ID_BYTES: usize = 4;
const WRAPPING: &[u8] = b"flagservice data key";

/// The data keys of this database, ready for use.
pub struct Keyring {
    keys: Vec<(u32, XChaCha20Poly1305)>,
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
        let master = match read_master_key(file)? {
            Some(key) => key,
            None if empty => make_master_key(file, random)?,
            None => bail!(
                "The key file {} is missing, and this database was encrypted with one. Put the file back, or name it with --key-file.",
                file.display()
            ),
        };
        let master = XChaCha20Poly1305::new(&Key::from(master));
        if empty {
            let wrapped = STANDARD.encode(encrypt(&master, WRAPPING, &bytes::<KEY_BYTES>(random), random)?);
            data_keys::put_first(connection, &wrapped).await?;
        }
        let stored = data_keys::list(connection).await?;
        let keys = stored.iter().map(|key| unwrap_key(&master, key, file)).collect::<anyhow::Result<_>>()?;
        write.commit().await?;
        Ok(Self { keys })
    }

    /// Encrypts with the newest key; `purpose` must be the same when it is opened. The text is safe in a URL.
    ///
    /// # Errors
    /// Only when the cipher fails, which it does for no text that fits in memory.
    pub fn seal(&self, purpose: &'static [u8], plain: &[u8], random: &dyn Random) -> anyhow::Result<String> {
        let (id, cipher) = self.keys.last().context("there is no data key")?;
        let mut sealed = id.to_be_bytes().to_vec();
        sealed.extend(encrypt(cipher, purpose, plain, random)?);
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Decrypts what [`Keyring::seal`] made; `None` for anything else.
    pub fn open_sealed(&self, purpose: &'static [u8], sealed: &str) -> Option<Vec<u8>> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (id, rest) = sealed.split_at_checked(ID_BYTES)?;
        let id = u32::from_be_bytes(id.try_into().ok()?);
        let (_, cipher) = self.keys.iter().find(|(known, _)| *known == id)?;
        decrypt(cipher, purpose, rest)
    }
}

fn read_master_key(file: &Path) -> anyhow::Result<Option<[u8; KEY_BYTES]>> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(error).with_context(|| format!("The key file {} cannot be read.", file.display()));
        }
    };
    let key = STANDARD.decode(text.trim()).ok().and_then(|key| key.try_into().ok());
    ensure!(
        key.is_some(),
        "The key file {} does not hold 32 bytes in base64. Put the right file there.",
        file.display()
    );
    Ok(key)
}

fn make_master_key(file: &Path, random: &dyn Random) -> anyhow::Result<[u8; KEY_BYTES]> {
    let key = bytes(random);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || -> std::io::Result<()> {
        let mut file = options.open(file)?;
        writeln!(file, "{}", STANDARD.encode(key))?;
        file.sync_all()
    };
    write().with_context(|| format!("The key file {} cannot be written.", file.display()))?;
    tracing::warn!(
        file = %file.display(),
        "A master key was made. Keep a copy of this file apart from the database: without it, what is encrypted is lost."
    );
    Ok(key)
}

fn unwrap_key(master: &XChaCha20Poly1305, key: &WrappedKey, file: &Path) -> anyhow::Result<(u32, XChaCha20Poly1305)> {
    let wrapped = STANDARD.decode(&key.wrapped).context("a data key is damaged")?;
    let plain: Option<[u8; KEY_BYTES]> = decrypt(master, WRAPPING, &wrapped).and_then(|plain| plain.try_into().ok());
    let Some(plain) = plain else {
        bail!(
            "The key in {} is not this database's. Put the right file there, or name it with --key-file.",
            file.display()
        );
    };
    Ok((u32::try_from(key.id)?, XChaCha20Poly1305::new(&Key::from(plain))))
}

fn encrypt(cipher: &XChaCha20Poly1305, purpose: &[u8], plain: &[u8], random: &dyn Random) -> anyhow::Result<Vec<u8>> {
    let nonce = bytes::<NONCE_BYTES>(random);
    let sealed = cipher
        .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: purpose })
        .map_err(|_| anyhow::anyhow!("the cipher refused {} bytes", plain.len()))?;
    Ok([nonce.as_slice(), &sealed].concat())
}

fn decrypt(cipher: &XChaCha20Poly1305, purpose: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: purpose }).ok()
}
