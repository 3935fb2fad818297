//! Statistics of experiments that stay valid however often somebody looks at them.
//!
//! Pure: no I/O, no clock, no randomness, no dependencies. The caller counts participants and conversions of each variant
//! and passes the totals so far:
//!
//! - [`Arm`] is what was counted for a variant, with its conversion rate.
//! - [`Sequence`] gives the difference between two arms with a confidence sequence: an interval that contains the true
//!   difference at all looks at once with a probability of 95%, so an experiment may be stopped at any of them.
//! - [`SplitTest`] tests after every look whether participants were split as intended (sample ratio mismatch).
//! - [`Sequence::needed`] says how many participants are still needed, and [`Needed::days`] how many days.
//!
//! The source of each formula is named where it is implemented. `docs/decisions/0038-always-valid-statistics.md` says why
//! these methods were chosen, what was measured, and what they assume.

mod arm;
mod boundary;
mod difference;
mod planning;
mod special;
mod split;

pub use arm::Arm;
pub use boundary::Boundary;
pub use difference::{Difference, ERROR, MINIMUM, Sequence, Verdict};
pub use planning::Needed;
pub use special::ln_gamma;
pub use split::{CONCENTRATION, SplitTest, probability_broken};
