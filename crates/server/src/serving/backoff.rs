//! Delays that grow after each failure and differ from node to node, so that many nodes do not come back at the same moment.

use std::sync::Arc;
use std::time::Duration;

use crate::random::{Random, bytes};

/// The delays of one task.
pub struct Backoff {
    first: Duration,
    longest: Duration,
    failures: u32,
    random: Arc<dyn Random>,
}

impl Backoff {
    /// Begins with the first delay and doubles it up to the longest.
    pub fn new((first, longest): (Duration, Duration), random: Arc<dyn Random>) -> Self {
        Self { first, longest, failures: 0, random }
    }

    /// How many delays there were since the last success.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Notes a success.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// The delay after another failure.
    pub fn next_delay(&mut self) -> Duration {
        let delay = delay((self.first, self.longest), self.failures, share(&*self.random));
        self.failures = self.failures.saturating_add(1);
        delay
    }
}

/// The delay after this many earlier failures: between half of the doubled delay and all of it, evenly. `share` is from 0 to 1.
pub fn delay((first, longest): (Duration, Duration), failures: u32, share: f64) -> Duration {
    let full = first.saturating_mul(2_u32.saturating_pow(failures)).min(longest);
    full.mul_f64(0.5 + share / 2.0)
}

/// A random number from 0 to 1.
pub fn share(random: &dyn Random) -> f64 {
    f64::from(u32::from_be_bytes(bytes(random))) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::Backoff;
    use crate::random::SystemRandom;

    #[test]
    fn delays_double_up_to_the_longest_and_begin_again_after_a_success() {
        let mut backoff = Backoff::new((Duration::from_secs(1), Duration::from_secs(30)), Arc::new(SystemRandom));
        for full in [1, 2, 4, 8, 16, 30, 30] {
            let full = Duration::from_secs(full);
            assert!((full / 2..=full).contains(&backoff.next_delay()));
        }
        backoff.reset();
        assert!(backoff.next_delay() <= Duration::from_secs(1));
    }
}
