//! Random bytes: from the operating system, or from a test.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use flagservice_rules::Instant;

/// A source of random bytes, injected wherever randomness is needed.
pub trait Random: Send + Sync + 'static {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);

    /// The numbers of the ids that are made with it.
    fn id_numbers(&self) -> &IdNumbers;
}

/// The operating system's random bytes, buffered per thread.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        POOL.with_borrow_mut(|pool| pool.take(buffer));
    }

    fn id_numbers(&self) -> &IdNumbers {
        static OF_PROCESS: IdNumbers = IdNumbers::new();
        &OF_PROCESS
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

/// A version 7 UUID: the time, a number that grows within the millisecond, then random bits. So what one change writes is in the order
/// in which it was written (RFC 9562, section 6.2, method 1).
pub fn uuid(random: &dyn Random, now: Instant) -> String {
    let milliseconds = u64::try_from(now.0).unwrap_or(0);
    let [a, b, c, d] = spread(random.id_numbers().next(random, milliseconds)).to_be_bytes();
    let [e, f, g, h, i, j] = bytes(random);
    uuid::Builder::from_unix_timestamp_millis(milliseconds, &[a, b, c, d, e, f, g, h, i, j]).into_uuid().to_string()
}

/// A number of 26 bits, where a UUID has room between version and variant: four bits of the first byte and two of the third are theirs.
fn spread(number: u32) -> u32 {
    ((number >> 22) << 24) | (((number >> 14) & 0xff) << 16) | (((number >> 8) & 0x3f) << 8) | (number & 0xff)
}

/// Numbers the ids of each millisecond. Changes run at the same time, and each has its own time: the ids of one stay in order while others
/// get theirs.
pub struct IdNumbers(Mutex<VecDeque<(u64, u32)>>);

impl IdNumbers {
    /// How many milliseconds are remembered, the one that was used last at the end.
    const REMEMBERED: usize = 1024;

    /// Without a number yet.
    pub const fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// The millisecond's next number, of 26 bits. The first is random and below a half, because other nodes number theirs, too.
    fn next(&self, random: &dyn Random, milliseconds: u64) -> u32 {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = numbers.iter().rposition(|(time, _)| *time == milliseconds).and_then(|place| numbers.remove(place));
        let number = match known {
            Some((_, number)) => number.wrapping_add(1),
            None => u32::from_be_bytes(bytes(random)) >> 7,
        };
        if numbers.len() == Self::REMEMBERED {
            numbers.pop_front();
        }
        numbers.push_back((milliseconds, number));
        number
    }
}

impl Default for IdNumbers {
    fn default() -> Self {
        Self::new()
    }
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

    use flagservice_rules::Instant;

    use super::{POOL_BYTES, SystemRandom, bytes, uuid};

    #[test]
    fn ids_are_version_7_and_sort_in_the_order_in_which_they_were_made_also_within_a_millisecond() {
        let mut ids = Vec::new();
        // No other test is at these times.
        for milliseconds in [4_000_000_000_001, 4_000_000_000_002] {
            ids.extend((0..100_000).map(|_| uuid(&SystemRandom, Instant(milliseconds))));
        }
        assert!(ids.is_sorted());
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for id in &ids {
            let parsed = uuid::Uuid::parse_str(id).unwrap();
            assert_eq!((parsed.get_version_num(), parsed.get_variant()), (7, uuid::Variant::RFC4122), "{id}");
        }
    }

    #[test]
    fn the_ids_of_changes_at_the_same_time_are_each_in_the_order_in_which_they_were_made() {
        let first = 4_000_000_000_100;
        let mut ids: Vec<Vec<String>> = vec![Vec::new(); 100];
        for _ in 0..100 {
            for (milliseconds, ids) in (first..).zip(&mut ids) {
                ids.push(uuid(&SystemRandom, Instant(milliseconds)));
            }
        }
        assert!(ids.iter().all(|of_one| of_one.is_sorted()));
    }

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
