//! How long an experiment still takes.

use crate::difference::{MINIMUM, total, variance};
use crate::{Arm, Sequence};

/// More participants than this are as good as never, and every smaller number is exact as an `f64`.
const NEVER: u64 = 1 << 53;

/// What an experiment still needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// How many participants are still needed in both arms together; 0 if there are enough.
    pub participants: u64,
}

impl Sequence {
    /// How many participants are needed until half the width of the interval is at most `effect`, a difference of rates.
    ///
    /// It is assumed that the rates and the split stay as they are in `control` and `variant`. If `effect` is the true
    /// difference, the interval then leaves out 0 in about half of all experiments; with half of it as `effect`, in nearly all.
    /// `None` if that never happens: `effect` is not above 0, or an arm has no participants, no conversions or nothing else,
    /// so that it would never have [`MINIMUM`] of both.
    pub fn needed(&self, control: Arm, variant: Arm, effect: f64) -> Option<Needed> {
        if effect.is_nan() || effect <= 0.0 {
            return None;
        }
        let seen = total(control, variant);
        let enough = [control, variant].map(|arm| participants_for_minimum(arm, seen));
        let [Some(control_minimum), Some(variant_minimum)] = enough else { return None };
        let variance = variance(control, variant);
        let is_enough = |participants: u64| self.half_width_at(participants as f64, variance) <= effect;
        let narrow = first(is_enough)?;
        let all = narrow.max(control_minimum).max(variant_minimum);
        Some(Needed { participants: all.saturating_sub(seen as u64) })
    }
}

impl Needed {
    /// How many days it takes with this many participants a day; `None` if there are none.
    pub fn days(&self, participants_per_day: f64) -> Option<u64> {
        if self.participants == 0 {
            return Some(0);
        }
        let days = (self.participants as f64 / participants_per_day).ceil();
        (participants_per_day > 0.0 && days < NEVER as f64).then_some((days as u64).max(1))
    }
}

/// How many participants both arms need until `arm`, of `seen` participants so far, is expected to reach [`MINIMUM`].
fn participants_for_minimum(arm: Arm, seen: f64) -> Option<u64> {
    let rarer = arm.conversions().min(arm.participants() - arm.conversions());
    let participants = MINIMUM as f64 * seen / rarer as f64;
    (rarer > 0).then_some(participants.ceil() as u64)
}

/// The first number of participants that is enough, by bisection: more than enough is enough, too.
fn first(is_enough: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut below, mut above) = (0, NEVER);
    if !is_enough(above) {
        return None;
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if is_enough(middle) { above = middle } else { below = middle }
    }
    Some(above)
}
