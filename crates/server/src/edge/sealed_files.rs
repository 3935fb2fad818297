//! Files of an edge: encrypted with a key that is derived from the edge key, readable only by their owner, and complete after a loss of
//! power.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::random::Random;
use crate::sealing::{self, SealingKey};
use crate::secret::Secret;

/// What the key of the files is derived for.
const PURPOSE: &[u8] = b"flagservice edge files";

/// A folder of encrypted files with the same ending.
pub(super) struct SealedFiles {
    folder: PathBuf,
    ending: &'static str,
    keys: Arc<[SealingKey]>,
    random: Arc<dyn Random>,
}

/// The keys of the files: the last edge key encrypts, all decrypt.
pub(super) fn keys(edge_keys: &[Secret]) -> Arc<[SealingKey]> {
    edge_keys.iter().map(key).collect()
}

fn key(edge_key: &Secret) -> SealingKey {
    let hash: [u8; sealing::KEY_BYTES] = Sha256::digest(edge_key.reveal().as_bytes()).into();
    let bytes = sealing::derived(&hash, PURPOSE, "");
    // Any number that tells the keys apart, and tells nothing of the edge key.
    let [first, second, third, fourth, ..] = sealing::derived(&hash, PURPOSE, "number");
    SealingKey::new(u32::from_be_bytes([first, second, third, fourth]), bytes)
}

impl SealedFiles {
    /// Creates the folder if it does not exist.
    pub(super) fn open(
        folder: &Path,
        ending: &'static str,
        keys: &Arc<[SealingKey]>,
        random: &Arc<dyn Random>,
    ) -> io::Result<Self> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        Ok(Self { folder: folder.to_owned(), ending, keys: Arc::clone(keys), random: Arc::clone(random) })
    }

    /// The names of all files, sorted.
    pub(super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            names.extend(name.to_str().and_then(|name| name.strip_suffix(self.ending)).map(str::to_owned));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// The size of a file in bytes; 0 if it does not exist.
    pub(super) fn size(&self, name: &str) -> u64 {
        std::fs::metadata(self.path(name)).map_or(0, |metadata| metadata.len())
    }

    /// Reads a file. `None` if no known key opens it.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let sealed = std::fs::read_to_string(self.path(name))?;
        Ok(sealing::open(&self.keys, PURPOSE, &sealed))
    }

    /// Writes a file, or replaces it. It is durable when this returns.
    pub(super) fn write(&self, name: &str, plain: &[u8]) -> io::Result<()> {
        let sealed = sealing::seal(&self.keys, PURPOSE, plain, &*self.random).map_err(io::Error::other)?;
        let unfinished = self.folder.join(format!("{name}.unfinished"));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
        file.write_all(sealed.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&unfinished, self.path(name))?;
        self.sync_folder()
    }

    /// Removes a file, if it exists.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        match std::fs::remove_file(self.path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn sync_folder(&self) -> io::Result<()> {
        File::open(&self.folder)?.sync_all()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{}", self.ending))
    }
}
