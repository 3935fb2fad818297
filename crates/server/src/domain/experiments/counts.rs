//! What is counted of an experiment.

/// What was counted of participants on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParticipantCount {
    /// New participants.
    pub participants: u64,
    /// Participants with this variant who were given another one for the first time.
    pub crossovers: u64,
}

/// What was counted of a goal on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalCount {
    /// Participants who reached it for the first time.
    pub participants: u64,
    /// How often it was reached.
    pub times: u64,
}
