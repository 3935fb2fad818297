//! Random choices that a seed repeats.

/// A generator (xorshift64*).
pub struct Random(u64);

impl Random {
    /// The generator of one sequence.
    pub fn new(seed: u64, sequence: u64) -> Self {
        let mut random = Self(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ sequence.wrapping_add(1).wrapping_mul(0xbf58_476d_1ce4_e5b9),
        );
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.max(1);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from((self.next() >> 33) % limit as u64).unwrap()
    }

    /// True in one of so many cases.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    pub fn text(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.below(choices.len())]
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
