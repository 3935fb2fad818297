//! The difference between two arms, with its confidence sequence.

use crate::{Arm, Boundary};

/// The probability that a 95% confidence sequence ever leaves out the true difference.
pub const ERROR: f64 = 0.05;

/// How many conversions, and how many participants without one, each arm needs before an interval is given.
///
/// The boundary assumes that the difference of the rates is normally distributed, from the first look on. With fewer than
/// about ten of each, a binomial count is skewed and its estimated variance is unreliable: Brown, Cai and DasGupta, "Interval
/// estimation for a binomial proportion", Statistical Science 16 (2001), report the usual rules, which ask for 5 or 10.
/// Without a minimum, simulated arms of equal rates and a split of 99:1 were declared different too often (decision 0038).
pub const MINIMUM: u64 = 10;

/// Compares two arms of an experiment, at any number of looks.
///
/// With n participants in both arms together, the difference of the rates is a mean of n observations: a participant of an
/// arm with the share s counts as ±conversion / s. Their variance is V = n (v₁ / n₁ + v₂ / n₂), where v is the variance of a
/// conversion in an arm and n₁, n₂ are its participants. [`Boundary`] gives the half width for n and V.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    boundary: Boundary,
}

/// The difference between two arms, as far as an experiment has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The rate of the variant minus the rate of the control; `None` while an arm has no participants.
    pub estimate: Option<f64>,
    /// The lower end of the confidence sequence, at least -1.
    pub lower: f64,
    /// The upper end of the confidence sequence, at most 1.
    pub upper: f64,
    /// What follows from the interval.
    pub verdict: Verdict,
}

/// What can be said of a difference. It holds for all looks at once: an experiment may end at the first one that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// An arm has fewer than [`MINIMUM`] conversions or participants without one. The interval is -1 to 1.
    TooFew,
    /// The interval contains 0.
    Undecided,
    /// The rate of the variant is higher than that of the control.
    Higher,
    /// The rate of the variant is lower than that of the control.
    Lower,
}

impl Sequence {
    /// A sequence that is narrowest when both arms together have `planned` participants; `None` for 0.
    ///
    /// Choose the plan before the experiment begins and keep it: the guarantee is for one sequence. An `error` of [`ERROR`]
    /// gives 95%. With several variants, divide it by the number of comparisons (Bonferroni).
    pub fn new(planned: u64, error: f64) -> Option<Self> {
        Some(Self { boundary: Boundary::tuned(planned, error)? })
    }

    /// The difference `variant` minus `control`.
    pub fn difference(&self, control: Arm, variant: Arm) -> Difference {
        let estimate = control.rate().zip(variant.rate()).map(|(control, variant)| variant - control);
        match estimate {
            Some(value) if control.has_at_least(MINIMUM) && variant.has_at_least(MINIMUM) => {
                let half_width = self.half_width(control, variant);
                Difference::decided(value, half_width)
            }
            Some(_) | None => Difference { estimate, lower: -1.0, upper: 1.0, verdict: Verdict::TooFew },
        }
    }

    /// Half the width of the interval, if it were not limited to [-1, 1].
    fn half_width(&self, control: Arm, variant: Arm) -> f64 {
        self.half_width_at(total(control, variant), variance(control, variant))
    }

    /// Half the width of the interval once both arms together have `participants`.
    pub(crate) fn half_width_at(&self, participants: f64, variance: f64) -> f64 {
        self.boundary.half_width(participants, variance)
    }
}

impl Difference {
    fn decided(estimate: f64, half_width: f64) -> Self {
        let (lower, upper) = ((estimate - half_width).max(-1.0), (estimate + half_width).min(1.0));
        let verdict = if lower > 0.0 {
            Verdict::Higher
        } else if upper < 0.0 {
            Verdict::Lower
        } else {
            Verdict::Undecided
        };
        Self { estimate: Some(estimate), lower, upper, verdict }
    }
}

/// The participants of both arms.
pub(crate) fn total(control: Arm, variant: Arm) -> f64 {
    control.participants() as f64 + variant.participants() as f64
}

/// The variance of one observation of the mean that estimates the difference: V of [`Sequence`].
pub(crate) fn variance(control: Arm, variant: Arm) -> f64 {
    let [control_part, variant_part] = [control, variant].map(|arm| arm.variance() / arm.participants() as f64);
    total(control, variant) * (control_part + variant_part)
}
