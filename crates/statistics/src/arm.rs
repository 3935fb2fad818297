//! The counts of one variant of an experiment.

/// What was counted for one variant of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    participants: u64,
    conversions: u64,
}

impl Arm {
    /// An arm, unless more participants converted than took part. A participant converts at most once.
    pub fn new(participants: u64, conversions: u64) -> Option<Self> {
        (conversions <= participants).then_some(Self { participants, conversions })
    }

    /// How many users were assigned to the variant.
    pub fn participants(&self) -> u64 {
        self.participants
    }

    /// How many of them converted.
    pub fn conversions(&self) -> u64 {
        self.conversions
    }

    /// Conversions per participant; `None` without participants.
    pub fn rate(&self) -> Option<f64> {
        (self.participants > 0).then(|| self.conversions as f64 / self.participants as f64)
    }

    /// Whether at least `minimum` participants converted and at least as many did not.
    pub(crate) fn has_at_least(&self, minimum: u64) -> bool {
        self.conversions >= minimum && self.participants - self.conversions >= minimum
    }

    /// The estimated variance of a single participant's conversion, with one conversion and one non-conversion added.
    ///
    /// The plain estimate is 0 while nobody has converted. Adding one of each is the adjustment of Agresti and Caffo, "Simple
    /// and effective confidence intervals for proportions and differences of proportions result from adding two successes and
    /// two failures", The American Statistician 54 (2000). Here only the variance is adjusted, not the rate.
    pub(crate) fn variance(&self) -> f64 {
        let rate = (self.conversions as f64 + 1.0) / (self.participants as f64 + 2.0);
        rate * (1.0 - rate)
    }
}
