//! Where randomness comes from: the operating system, or a test.

use flagservice_rules::Instant;

/// A source of random bytes, injected wherever randomness is needed.
pub trait Random: Send + Sync + 'static {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);
}

/// The operating system's source.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        if getrandom::fill(buffer).is_err() {
            // Without randomness no key, token or id may be made.
            std::process::abort();
        }
    }
}

/// As many random bytes as the array holds.
pub fn bytes<const N: usize>(random: &dyn Random) -> [u8; N] {
    let mut buffer = [0; N];
    random.fill(&mut buffer);
    buffer
}

/// A UUID of version 7: the time, then random bits.
pub fn uuid(random: &dyn Random, now: Instant) -> String {
    let milliseconds = u64::try_from(now.0).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(milliseconds, &bytes(random)).into_uuid().to_string()
}

/// A secret text: the prefix and 160 random bits in base 32, without letters that look alike.
pub fn secret(random: &dyn Random, prefix: &str) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut text = String::from(prefix);
    for byte in bytes::<32>(random) {
        text.push(ALPHABET.get(usize::from(byte & 31)).map_or('a', |&letter| char::from(letter)));
    }
    text
}
