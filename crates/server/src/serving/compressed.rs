//! Texts that many responses have, compressed once.

use std::io::{self, Read as _, Write as _};
use std::sync::{Arc, OnceLock};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// The largest text that is unpacked, in bytes.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// A text with its compressed form, which is made when somebody asks for it.
pub struct Compressible {
    text: Arc<str>,
    gzip: OnceLock<Arc<[u8]>>,
}

impl Compressible {
    /// A text.
    pub fn new(text: String) -> Self {
        Self { text: text.into(), gzip: OnceLock::new() }
    }

    /// As it is.
    pub fn plain(&self) -> &Arc<str> {
        &self.text
    }

    /// Compressed with gzip, if that has been done already.
    pub fn ready_gzip(&self) -> Option<Arc<[u8]>> {
        self.gzip.get().map(Arc::clone)
    }

    /// Compressed with gzip. The first call takes a while.
    pub fn gzip(&self) -> Arc<[u8]> {
        Arc::clone(self.gzip.get_or_init(|| gzip(self.text.as_bytes()).into()))
    }
}

/// Compresses with gzip.
pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(text);
    encoder.finish().unwrap_or_default()
}

/// The text that was compressed with gzip.
///
/// # Errors
/// When it was not, or when it is too large.
pub fn unpack(gzip: &[u8]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let read = GzDecoder::new(gzip).take(MAX_UNPACKED + 1).read_to_end(&mut text)?;
    if u64::try_from(read).unwrap_or(u64::MAX) > MAX_UNPACKED {
        return Err(io::Error::other("it has more than 256 MiB"));
    }
    Ok(text)
}
