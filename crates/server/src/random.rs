//! Random bytes: from the operating system, or from a test.

use std::cell::RefCell;

use flagservice_rules::Instant;

/// A source of random bytes, injected wherever randomness is needed.
pub trait Random: Send + Sync + 'static {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);
}

/// The operating system's random bytes, buffered per thread.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        POOL.with_borrow_mut(|pool| pool.take(buffer));
    }
}

/// How many bytes one system call gets: each load request needs only a few, and the call is the expensive part.
const POOL_BYTES: usize = 1024;

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; POOL_BYTES], used: POOL_BYTES }) };
}

/// Random bytes; those from `used` on have not been handed out yet.
struct Pool {
    bytes: [u8; POOL_BYTES],
    used: usize,
}

impl Pool {
    fn take(&mut self, buffer: &mut [u8]) {
        if buffer.len() > POOL_BYTES {
            return fill_from_system(buffer);
        }
        if buffer.len() > POOL_BYTES - self.used {
            fill_from_system(&mut self.bytes);
            self.used = 0;
        }
        for (target, pooled) in buffer.iter_mut().zip(self.bytes.iter_mut().skip(self.used)) {
            // Bytes that were handed out must not stay in memory here.
            *target = std::mem::take(pooled);
        }
        self.used += buffer.len();
    }
}

fn fill_from_system(buffer: &mut [u8]) {
    if getrandom::fill(buffer).is_err() {
        // Without randomness, keys, tokens and ids would be predictable.
        std::process::abort();
    }
}

/// An array of random bytes.
pub fn bytes<const N: usize>(random: &dyn Random) -> [u8; N] {
    let mut buffer = [0; N];
    random.fill(&mut buffer);
    buffer
}

/// A version 7 UUID: the time, then random bits.
pub fn uuid(random: &dyn Random, now: Instant) -> String {
    let milliseconds = u64::try_from(now.0).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(milliseconds, &bytes(random)).into_uuid().to_string()
}

/// A secret: the prefix and 160 random bits in base 32, without characters that look alike.
pub fn secret(random: &dyn Random, prefix: &str) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut text = String::from(prefix);
    for byte in bytes::<32>(random) {
        text.push(ALPHABET.get(usize::from(byte & 31)).map_or('a', |&letter| char::from(letter)));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{POOL_BYTES, SystemRandom, bytes};

    #[test]
    fn random_bytes_are_never_handed_out_twice() {
        // This drains eight pools. Two draws are equal by chance once in 2^45 runs.
        let drawn: BTreeSet<[u8; 8]> = (0..POOL_BYTES).map(|_| bytes(&SystemRandom)).collect();
        assert_eq!(drawn.len(), POOL_BYTES);
    }

    #[test]
    fn buffers_of_any_length_are_filled_completely() {
        // A byte is zero in all 20 draws by chance once in 2^160 runs.
        let longer = (0..20).map(|_| bytes::<{ POOL_BYTES + 32 }>(&SystemRandom));
        let seen = longer.fold([0; POOL_BYTES + 32], |seen: [u8; POOL_BYTES + 32], drawn| {
            std::array::from_fn(|at| seen[at] | drawn[at])
        });
        assert!(seen.iter().all(|byte| *byte != 0));
        let shorter = (0..20).map(|_| bytes::<1000>(&SystemRandom));
        let seen = shorter.fold([0; 1000], |seen: [u8; 1000], drawn| std::array::from_fn(|at| seen[at] | drawn[at]));
        assert!(seen.iter().all(|byte| *byte != 0));
    }
}
