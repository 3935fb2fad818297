//! What is counted of an experiment.

use std::ops::AddAssign;

/// The participants of an experiment who were given the same variant first and are in the same segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParticipantGroup {
    /// The place of the variant.
    pub variant: usize,
    /// The number of the segment, counted from 1; 0 without one.
    pub segment: usize,
}

impl ParticipantGroup {
    /// Its number in the tables, which is the place of the variant for participants without a segment.
    pub fn number(self, variants: usize) -> usize {
        self.segment * variants + self.variant
    }

    /// The group with a number, of an experiment with so many variants.
    pub fn from_number(number: usize, variants: usize) -> Self {
        let variants = variants.max(1);
        Self { variant: number % variants, segment: number / variants }
    }
}

/// What was counted of participants on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParticipantCount {
    /// New participants.
    pub participants: u64,
    /// Participants with this variant who were given another one for the first time.
    pub crossovers: u64,
}

impl AddAssign for ParticipantCount {
    fn add_assign(&mut self, other: Self) {
        self.participants += other.participants;
        self.crossovers += other.crossovers;
    }
}

/// What was counted of a goal on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalCount {
    /// Participants who reached it for the first time.
    pub participants: u64,
    /// How often it was reached.
    pub times: u64,
}

impl AddAssign for GoalCount {
    fn add_assign(&mut self, other: Self) {
        self.participants += other.participants;
        self.times += other.times;
    }
}
