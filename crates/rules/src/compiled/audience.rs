//! An audience compiled for fast evaluation: the users that all its conditions match.

use super::rule::compile_conditions;
use super::{CompiledCondition, ConditionResults};
use crate::{Condition, Instant, Patterns, User};
use std::sync::Arc;

/// The users that all conditions match; everybody without a condition, nobody with an invalid one.
#[derive(Clone, Debug)]
pub struct CompiledAudience(Option<Vec<Arc<CompiledCondition>>>);

impl CompiledAudience {
    /// Compiles an audience. Never fails: one with a condition that [`crate::validate_conditions`] rejects has no users.
    pub fn compile(conditions: &[Condition]) -> Self {
        let mut violations = Vec::new();
        let compiled = compile_conditions(conditions, &mut violations, |_, violation| violation);
        Self(violations.is_empty().then_some(compiled))
    }

    /// Whether the user belongs to it at this time, with the results that features have left for the user at this time.
    pub fn includes(&self, user: &User, now: Instant, results: &mut ConditionResults) -> bool {
        let conditions = self.0.as_ref();
        conditions.is_some_and(|all| all.iter().all(|condition| results.matches(condition, user, now)))
    }

    /// The patterns that it keeps in memory.
    pub fn patterns(&self) -> Patterns {
        let mut patterns = Patterns::default();
        let conditions = self.0.iter().flatten();
        conditions.filter_map(|condition| condition.pattern()).for_each(|pattern| patterns.add(pattern.clone()));
        patterns
    }

    /// The next instant after `now` at which time can change who belongs to it. `None` if there is no such instant.
    pub fn next_turn(&self, now: Instant) -> Option<Instant> {
        self.0.iter().flatten().filter_map(|condition| condition.next_turn(now)).min()
    }
}
