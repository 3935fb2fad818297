//! Results of conditions for one user at one instant. Features that have a condition in common compare it once.

use super::CompiledCondition;
use crate::{Instant, User};
use std::sync::Arc;

/// How many results are kept. The next one with the same place replaces an earlier one.
const PLACES: usize = 64;

/// Spreads addresses over the places (Knuth, The Art of Computer Programming, volume 3, section 6.4).
const MULTIPLIER: usize = 0x9e37_79b9_7f4a_7c15_u64 as usize;

/// The latest results, each with the address of its condition. It is for one user and one instant only, and the features that are
/// evaluated with it must live for as long.
pub struct ConditionResults([(usize, bool); PLACES]);

impl Default for ConditionResults {
    fn default() -> Self {
        Self([(0, false); PLACES])
    }
}

impl ConditionResults {
    /// Whether the condition matches.
    pub(crate) fn matches(&mut self, condition: &Arc<CompiledCondition>, user: &User, now: Instant) -> bool {
        let address = Arc::as_ptr(condition).addr();
        let place = address.wrapping_mul(MULTIPLIER) >> (usize::BITS - PLACES.ilog2());
        let Some((known, matched)) = self.0.get_mut(place) else { return condition.matches(user, now) };
        if *known != address {
            (*known, *matched) = (address, condition.matches(user, now));
        }
        *matched
    }
}
