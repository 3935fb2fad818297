//! Reproducible random choices.

/// The SplitMix64 generator of Steele, Lea and Flood: one step for each number, and all seeds are equally good.
pub(crate) struct Random(u64);

impl Random {
    /// The generator for one of many items. The same seed and number give the same choices.
    pub(crate) fn for_item(seed: u64, number: u64) -> Self {
        let mut random = Self(seed);
        let first = random.next();
        Self(first ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end`, exclusive.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// A list of `min` to `max` generated items.
    pub(crate) fn several<T>(&mut self, min: usize, max: usize, mut generate: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = min + self.below(max - min + 1);
        (0..count).map(|_| generate(self)).collect()
    }
}
