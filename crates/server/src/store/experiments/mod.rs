//! Tables of experiments: their records, their participants, and what is counted by day.

pub mod counts;
pub mod participants;
pub mod records;
