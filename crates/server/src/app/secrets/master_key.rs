//! The master key: 32 bytes in a file, which wrap the data keys in the database.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::XChaCha20Poly1305;

use crate::random::{Random, bytes};
use crate::sealing::{KEY_BYTES, cipher, decrypt, encrypt};
use crate::store::secrets::data_keys::WrappedKey;
use crate::store::suffixed;

const WRAPPING: &[u8] = b"flagservice data key";

/// A master key, and the file that holds it.
pub struct MasterKey {
    file: PathBuf,
    bytes: [u8; KEY_BYTES],
    cipher: XChaCha20Poly1305,
}

impl MasterKey {
    fn new(file: &Path, bytes: [u8; KEY_BYTES]) -> Self {
        Self { file: file.to_owned(), bytes, cipher: cipher(bytes) }
    }

    /// Reads the file; `None` when it is not there.
    ///
    /// # Errors
    /// Names the file when it cannot be read, or holds something else.
    pub fn read(file: &Path) -> anyhow::Result<Option<Self>> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("The key file {} cannot be read.", file.display()));
            }
        };
        ensure!(
            !text.trim().is_empty(),
            "The key file {} is empty, and has to hold 32 bytes in base64. Put the right file there. If there never was one, remove \
             it, and a key is made.",
            file.display()
        );
        let key = STANDARD.decode(text.trim()).ok().and_then(|key| key.try_into().ok());
        ensure!(
            key.is_some(),
            "The key file {} does not hold 32 bytes in base64. Put the right file there.",
            file.display()
        );
        Ok(key.map(|key| Self::new(file, key)))
    }

    /// Reads the file that a database's keys were wrapped with.
    ///
    /// # Errors
    /// Names the file and the remedy.
    pub fn read_existing(file: &Path) -> anyhow::Result<Self> {
        Self::read(file)?.with_context(|| {
            format!(
                "The key file {} is missing, and this database was encrypted with one. Put the file back, or name it with --key-file.",
                file.display()
            )
        })
    }

    /// Makes a key, in a file that only its owner reads.
    ///
    /// # Errors
    /// Names the file when it is there already, or cannot be written. Then there is none, and the next attempt can make it.
    pub fn make(file: &Path, random: &dyn Random) -> anyhow::Result<Self> {
        let key = bytes(random);
        let partial = suffixed(file, ".partial");
        write_whole(file, &partial, &STANDARD.encode(key)).with_context(|| {
            // The original error is the one to report.
            let _ = std::fs::remove_file(&partial);
            format!("The key file {} cannot be written.", file.display())
        })?;
        tracing::warn!(
            file = %file.display(),
            "A master key was made. Keep a copy of this file apart from the database: without it, what is encrypted is lost."
        );
        Ok(Self::new(file, key))
    }

    /// Whether both files hold the same key.
    pub fn is_same(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }

    /// A new data key, wrapped.
    ///
    /// # Errors
    /// Only when the cipher fails, which it does for no key.
    pub fn wrap_new(&self, random: &dyn Random) -> anyhow::Result<String> {
        self.wrap(&bytes(random), random)
    }

    /// The data key, wrapped by this key in place of another.
    ///
    /// # Errors
    /// When it was not the other one that wrapped it.
    pub fn rewrap(&self, key: &WrappedKey, from: &Self, random: &dyn Random) -> anyhow::Result<String> {
        self.wrap(&from.unwrap(key)?, random)
    }

    fn wrap(&self, key: &[u8; KEY_BYTES], random: &dyn Random) -> anyhow::Result<String> {
        Ok(STANDARD.encode(encrypt(&self.cipher, WRAPPING, key, random)?))
    }

    /// The bytes of the data key.
    ///
    /// # Errors
    /// Names the key file when the database is another's.
    pub fn unwrap(&self, key: &WrappedKey) -> anyhow::Result<[u8; KEY_BYTES]> {
        let wrapped = STANDARD.decode(&key.wrapped).context("a data key is damaged")?;
        // The cipher authenticates: what it opens was wrapped by this key.
        let Some(plain) = decrypt(&self.cipher, WRAPPING, &wrapped).and_then(|plain| plain.try_into().ok()) else {
            bail!(
                "The key in {} is not this database's. Put the right file there, or name it with --key-file.",
                self.file.display()
            );
        };
        Ok(plain)
    }
}

/// Writes a line to a new file, under another name until all of it is on the disk: half a key would stop every later start.
fn write_whole(file: &Path, partial: &Path, line: &str) -> std::io::Result<()> {
    match std::fs::remove_file(partial) {
        // Left by an attempt that was ended.
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.open(partial)?;
    writeln!(open, "{line}")?;
    open.sync_all()?;
    // Renaming would replace a file that is there.
    if file.try_exists()? {
        return Err(ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(partial, file)?;
    // The name is to outlive a loss of power, too.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
