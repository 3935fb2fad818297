//! Choices that the seed of a history makes.

use std::ops::RangeInclusive;

/// A generator of choices. Each purpose has its own, so that one more choice of one kind does not change all others.
#[derive(Debug)]
pub struct Chance(fastrand::Rng);

impl Chance {
    /// The choices of a seed for a purpose.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let start = purpose
            .bytes()
            .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(fastrand::Rng::with_seed(start))
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.0.f64() < probability
    }

    /// A number from the range.
    pub fn number(&mut self, range: RangeInclusive<u64>) -> u64 {
        self.0.u64(range)
    }

    /// A share of one.
    pub fn share(&mut self) -> f64 {
        self.0.f64()
    }

    /// One of these; none of nothing.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        self.0.choice(from)
    }

    /// Puts these in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }

    /// Fills a buffer.
    pub fn fill(&mut self, buffer: &mut [u8]) {
        self.0.fill(buffer);
    }
}
