//! What was counted of an experiment: of all participants, or of those in a segment.

use std::collections::{BTreeMap, BTreeSet};

use flagservice_statistics::Arm;

use crate::app::Result;
use crate::domain::experiments::Run;
use crate::domain::experiments::counts::{GoalCount, ParticipantCount, ParticipantGroup};
use crate::store::Connection;
use crate::store::experiments::counts::{self, DayAndGroup};

/// The counts of all groups of participants.
pub(super) struct GroupCounts {
    variants: usize,
    participants: BTreeMap<DayAndGroup, ParticipantCount>,
    goals: BTreeMap<(DayAndGroup, usize), GoalCount>,
}

impl GroupCounts {
    pub(super) async fn read(connection: &mut Connection, run: &Run) -> Result<Self> {
        Ok(Self {
            variants: run.variants.len(),
            participants: counts::participants(connection, run.number).await?,
            goals: counts::goals(connection, run.number).await?,
        })
    }

    /// The counts of all participants.
    pub(super) fn of_all(&self) -> Counted {
        self.of(|_| true)
    }

    /// The counts of a segment, by its number.
    pub(super) fn of_segment(&self, segment: usize) -> Counted {
        self.of(|of| of == segment)
    }

    fn of(&self, is_counted: impl Fn(usize) -> bool) -> Counted {
        let mut counted = Counted::default();
        let group = |number| ParticipantGroup::from_number(number, self.variants);
        for ((day, number), count) in &self.participants {
            let ParticipantGroup { variant, segment } = group(*number);
            if is_counted(segment) {
                *counted.participants.entry((*day, variant)).or_default() += *count;
            }
        }
        for (((day, number), goal), count) in &self.goals {
            let ParticipantGroup { variant, segment } = group(*number);
            if is_counted(segment) {
                *counted.goals.entry((*day, variant, *goal)).or_default() += *count;
            }
        }
        counted
    }
}

/// What was counted, by day and variant.
#[derive(Default)]
pub(super) struct Counted {
    participants: BTreeMap<(i64, usize), ParticipantCount>,
    goals: BTreeMap<(i64, usize, usize), GoalCount>,
}

impl Counted {
    /// The counts of participants with a variant, up to a day.
    pub(super) fn participants(&self, variant: usize, until: i64) -> ParticipantCount {
        let mut sum = ParticipantCount::default();
        let counts = self.participants.iter().filter(|((day, of), _)| *of == variant && *day <= until);
        counts.for_each(|(_, count)| sum += *count);
        sum
    }

    /// The counts of a goal with a variant, up to a day.
    pub(super) fn goal(&self, variant: usize, goal: usize, until: i64) -> GoalCount {
        let is_counted = |(day, of, of_goal): &(i64, usize, usize)| *of == variant && *of_goal == goal && *day <= until;
        let mut sum = GoalCount::default();
        self.goals.iter().filter(|(of, _)| is_counted(of)).for_each(|(_, count)| sum += *count);
        sum
    }

    /// A variant's participants and those who reached a goal, up to a day.
    pub(super) fn arm(&self, variant: usize, goal: usize, until: i64) -> Option<Arm> {
        Arm::new(self.participants(variant, until).participants, self.goal(variant, goal, until).participants)
    }

    /// The days on which something was counted.
    pub(super) fn days(&self) -> BTreeSet<i64> {
        let of_goals = self.goals.keys().map(|(day, _, _)| *day);
        self.participants.keys().map(|(day, _)| *day).chain(of_goals).collect()
    }
}
