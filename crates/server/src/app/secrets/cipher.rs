//! Authenticated encryption of a text, under whichever key: the master key's, or a data key's.

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use crate::random::{Random, bytes};

const NONCE_BYTES: usize = 24;

/// Encrypts under a nonce of its own, which comes first; `purpose` must be the same when it is decrypted.
pub(super) fn encrypt(
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
pub(super) fn decrypt(cipher: &XChaCha20Poly1305, purpose: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: purpose }).ok()
}
