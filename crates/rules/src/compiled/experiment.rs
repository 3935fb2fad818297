//! An experiment compiled for fast evaluation: who takes part, and in which segment.

use super::{CompiledAudience, CompiledFeature, ConditionResults};
use crate::{Condition, Instant, Key, Operator, Patterns, RulesetExperiment, User};

/// The experiment that runs with a feature.
#[derive(Clone, Debug)]
pub struct CompiledExperiment {
    audience: CompiledAudience,
    /// What clients report for participants without a segment: `checkout/0/3735928559`, or the feature's key alone if no run is known.
    entry: Box<str>,
    segments: Vec<CompiledSegment>,
}

/// The participants whose attribute has one of the values.
#[derive(Clone, Debug)]
struct CompiledSegment {
    users: CompiledAudience,
    /// The feature's key, the number of the segment, counted from 1, and the run: `checkout/2/3735928559`.
    entry: Box<str>,
}

impl CompiledExperiment {
    /// Compiles an experiment. Never fails: if a condition is invalid, nobody takes part.
    pub fn compile(feature: &Key, experiment: &RulesetExperiment) -> Self {
        let segments = experiment.segments.iter().flat_map(|segments| {
            segments.values.iter().zip(1..).map(|(value, number)| {
                let attribute = segments.attribute.clone();
                let equals = Condition { attribute, operator: Operator::Equals, values: vec![value.clone()] };
                let entry = match experiment.run {
                    Some(run) => format!("{feature}/{number}/{run}"),
                    None => format!("{feature}/{number}"),
                };
                CompiledSegment { users: CompiledAudience::compile(&[equals]), entry: entry.into() }
            })
        });
        Self {
            audience: CompiledAudience::compile(&experiment.audience),
            entry: experiment.run.map_or_else(|| feature.as_str().into(), |run| format!("{feature}/0/{run}").into()),
            segments: segments.collect(),
        }
    }

    /// What clients report if the user takes part: the feature's key, the number of the user's segment or 0, and the number of the run,
    /// so that whatever remembers reports tells two runs apart. `None` if the user does not take part: the audience does not include
    /// them, or the feature does not split users like them. Users who get a variant because of their attributes cannot be compared with
    /// others.
    pub fn entry(
        &self,
        feature: &CompiledFeature,
        user: &User,
        now: Instant,
        results: &mut ConditionResults,
    ) -> Option<&str> {
        if !self.audience.includes(user, now, results) || !feature.splits_users(user, now, results) {
            return None;
        }
        let segment = self.segments.iter().find(|segment| segment.users.includes(user, now, results));
        Some(segment.map_or(&self.entry, |segment| &segment.entry))
    }

    /// The patterns that it keeps in memory.
    pub fn patterns(&self) -> Patterns {
        self.audience.patterns()
    }

    /// The next instant after `now` at which time can change who takes part. `None` if there is no such instant.
    pub fn next_turn(&self, now: Instant) -> Option<Instant> {
        self.audience.next_turn(now)
    }
}
