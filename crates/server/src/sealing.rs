//! Authenticated encryption: a text that is sealed with one of several keys, each with a number.

use anyhow::Context;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit as _, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::random::{Random, bytes};

/// How long keys are.
pub const KEY_BYTES: usize = 32;

const NONCE_BYTES: usize = 24;

const ID_BYTES: usize = 4;

/// How long a block of SHA-256 is.
const BLOCK_BYTES: usize = 64;

/// A key with its number.
pub struct SealingKey {
    id: u32,
    bytes: [u8; KEY_BYTES],
    cipher: XChaCha20Poly1305,
}

impl SealingKey {
    /// The key of these bytes.
    pub fn new(id: u32, bytes: [u8; KEY_BYTES]) -> Self {
        Self { id, bytes, cipher: cipher(bytes) }
    }

    /// Its number. Later keys have higher ones.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Its bytes, for the one place that sends them.
    pub fn reveal(&self) -> &[u8; KEY_BYTES] {
        &self.bytes
    }

    /// A key for one use, which tells nothing of this key or of those for other uses.
    pub fn derive(&self, purpose: &[u8], of: &str) -> Self {
        Self::new(self.id, derived(&self.bytes, purpose, of))
    }
}

/// What encrypts with a key of these bytes.
pub fn cipher(bytes: [u8; KEY_BYTES]) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&Key::from(bytes))
}

/// The bytes of a key for one use, derived from uniformly random ones: HKDF's second step (RFC 5869) for one block.
pub fn derived(secret: &[u8; KEY_BYTES], purpose: &[u8], of: &str) -> [u8; KEY_BYTES] {
    // HMAC fills keys that are shorter than a block up with zeros.
    let mut block = [0; BLOCK_BYTES];
    block[..KEY_BYTES].copy_from_slice(secret);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in [purpose, &[0], of.as_bytes(), &[1]] {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Encrypts under a nonce of its own, which comes first; `purpose` must be the same when it is decrypted.
///
/// # Errors
/// Only when the cipher fails, which it does for no text that fits in memory.
pub fn encrypt(
    cipher: &XChaCha20Poly1305,
    purpose: &[u8],
    plain: &[u8],
    random: &dyn Random,
) -> anyhow::Result<Vec<u8>> {
    let nonce = bytes::<NONCE_BYTES>(random);
    let sealed = cipher
        .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: purpose })
        .map_err(|_| anyhow::anyhow!("the cipher refused {} bytes", plain.len()))?;
    Ok([nonce.as_slice(), &sealed].concat())
}

/// Decrypts what [`encrypt`] made with the same key and purpose; `None` for anything else.
pub fn decrypt(cipher: &XChaCha20Poly1305, purpose: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: purpose }).ok()
}

/// Encrypts with the newest of the keys. The text is safe in a URL.
///
/// # Errors
/// When there is no key.
pub fn seal(keys: &[SealingKey], purpose: &[u8], plain: &[u8], random: &dyn Random) -> anyhow::Result<String> {
    let SealingKey { id, cipher, .. } = keys.last().context("there is no key")?;
    let mut sealed = id.to_be_bytes().to_vec();
    sealed.extend(encrypt(cipher, purpose, plain, random)?);
    Ok(URL_SAFE_NO_PAD.encode(sealed))
}

/// Decrypts with the one of the keys that encrypted it; `None` for anything else.
pub fn open(keys: &[SealingKey], purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
    let (id, rest) = parts(sealed)?;
    let key = keys.iter().find(|known| known.id == id)?;
    decrypt(&key.cipher, purpose, &rest)
}

/// The number of the key that encrypted it.
pub fn key_of(sealed: &str) -> Option<u32> {
    parts(sealed).map(|(id, _)| id)
}

/// The number of the key, and what it encrypted.
fn parts(sealed: &str) -> Option<(u32, Vec<u8>)> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (id, rest) = sealed.split_first_chunk::<ID_BYTES>()?;
    Some((u32::from_be_bytes(*id), rest.to_vec()))
}
