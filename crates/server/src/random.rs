//! Where randomness comes from: the operating system, or a test.

use std::cell::RefCell;

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
        STOCK.with_borrow_mut(|stock| stock.take(buffer));
    }
}

/// How many bytes are asked of the operating system at once: each load needs a few, and asking takes longer than they do.
const STOCKED: usize = 1024;

thread_local! {
    static STOCK: RefCell<Stock> = const { RefCell::new(Stock { bytes: [0; STOCKED], used: STOCKED }) };
}

/// Random bytes that nobody has had yet, from `used` on.
struct Stock {
    bytes: [u8; STOCKED],
    used: usize,
}

impl Stock {
    fn take(&mut self, buffer: &mut [u8]) {
        if buffer.len() > STOCKED {
            return ask(buffer);
        }
        if buffer.len() > STOCKED - self.used {
            ask(&mut self.bytes);
            self.used = 0;
        }
        for (wanted, stocked) in buffer.iter_mut().zip(self.bytes.iter_mut().skip(self.used)) {
            // What has been given away is kept nowhere.
            *wanted = std::mem::take(stocked);
        }
        self.used += buffer.len();
    }
}

fn ask(buffer: &mut [u8]) {
    if getrandom::fill(buffer).is_err() {
        // Without randomness no key, token or id may be made.
        std::process::abort();
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{STOCKED, SystemRandom, bytes};

    #[test]
    fn no_byte_is_given_twice() {
        // Eight stocks' worth: two equal ones by chance are one in 2^45.
        let drawn: BTreeSet<[u8; 8]> = (0..STOCKED).map(|_| bytes(&SystemRandom)).collect();
        assert_eq!(drawn.len(), STOCKED);
    }

    #[test]
    fn every_byte_is_drawn_whatever_the_length() {
        // That a byte is zero in all of 20 draws has a chance of one in 2^160.
        let longer = (0..20).map(|_| bytes::<{ STOCKED + 32 }>(&SystemRandom));
        let seen = longer
            .fold([0; STOCKED + 32], |seen: [u8; STOCKED + 32], drawn| std::array::from_fn(|at| seen[at] | drawn[at]));
        assert!(seen.iter().all(|byte| *byte != 0));
        let shorter = (0..20).map(|_| bytes::<1000>(&SystemRandom));
        let seen = shorter.fold([0; 1000], |seen: [u8; 1000], drawn| std::array::from_fn(|at| seen[at] | drawn[at]));
        assert!(seen.iter().all(|byte| *byte != 0));
    }
}
