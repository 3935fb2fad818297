//! A case of rules, user and time, and what holds for every case.

use std::collections::BTreeMap;

use flagservice_rules::{
    Audiences, CompiledFeature, CompiledRuleset, Condition, FeatureEvaluation, Instant, Key, Reason, Ruleset,
    RulesetFeature, Side, Targeting, User, compare, validate,
};
use serde::{Deserialize, Serialize};

/// The range of JavaScript's `Date`, in milliseconds from 1970 in both directions.
const MAX_TIME_MS: i64 = 8_640_000_000_000_000;

/// Rules, a user and a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The rules.
    pub ruleset: Ruleset,
    /// The user.
    pub user: User,
    /// The time.
    pub now: Instant,
}

/// What every runtime answers to a case, in the form of `tests/conformance`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    evaluations: Vec<FeatureEvaluation<'a>>,
    next_turn: Option<Instant>,
}

impl Case {
    /// Reads a case; `None` if the text is no case, or its time is outside the range of JavaScript's `Date`.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let case: Self = serde_json::from_slice(text).ok()?;
        (case.now.0.abs() <= MAX_TIME_MS).then_some(case)
    }

    /// The answer as JSON; `None` if it cannot be written.
    pub fn answer(&self) -> Option<String> {
        let compiled = CompiledRuleset::compile(&self.ruleset);
        let evaluations = compiled.evaluate(&self.user, self.now).collect();
        serde_json::to_string(&Answer { evaluations, next_turn: compiled.next_turn(self.now) }).ok()
    }

    /// Panics if an invariant does not hold:
    ///
    /// - what is printed is read as the same case, and printed as the same bytes;
    /// - `evaluate`, `variant` and `explain` agree, and the variant is one that the feature can serve;
    /// - targeting that is off serves its off variant;
    /// - a rule that validation refuses never matches, and without violations each rule can match;
    /// - until the next turn no variant changes, and after the last one none does;
    /// - an environment does not differ from itself.
    pub fn check(&self) {
        let printed = serde_json::to_string(self).unwrap_or_default();
        let read = Self::parse(printed.as_bytes());
        assert_eq!(read.as_ref(), Some(self), "a printed case is read as the same one");
        assert_eq!(serde_json::to_string(&read).unwrap_or_default(), printed, "and printed as the same bytes");
        let audiences: BTreeMap<_, _> =
            self.ruleset.audiences.iter().map(|audience| (audience.key.clone(), audience.conditions.clone())).collect();
        for feature in &self.ruleset.features {
            self.check_feature(feature, &audiences);
        }
        self.check_turns();
    }

    fn check_feature(&self, feature: &RulesetFeature, audiences: &BTreeMap<Key, Vec<Condition>>) {
        let RulesetFeature { key, salt, targeting, .. } = feature;
        let compiled = CompiledFeature::compile(key, salt, targeting, audiences);
        let evaluation = compiled.evaluate(&self.user, self.now);
        let explanation = compiled.explain(&self.user, self.now);
        assert!(compiled.variants().contains(evaluation.variant), "{key} can serve {}", evaluation.variant);
        assert_eq!(compiled.variant(&self.user, self.now), evaluation.variant);
        assert_eq!((explanation.variant, explanation.reason), (evaluation.variant, evaluation.reason));
        if !targeting.enabled {
            assert_eq!((evaluation.variant, evaluation.reason), (&targeting.off_variant, Reason::Off));
        }
        check_violations(targeting, audiences, evaluation.reason, explanation.rules.len());
        let side = Side { targeting, audiences };
        assert!(compare(side, side).is_empty(), "{key} differs from itself");
    }

    fn check_turns(&self) {
        let compiled = CompiledRuleset::compile(&self.ruleset);
        let at = |now: i64| compiled.evaluate(&self.user, Instant(now)).collect::<Vec<_>>();
        let now = self.now.0;
        let last = match compiled.next_turn(self.now) {
            Some(turn) => {
                assert!(turn > self.now, "the next turn is after now");
                assert_eq!(compiled.next_turn(Instant(turn.0 - 1)), Some(turn), "the turn is the same until it comes");
                turn.0 - 1
            }
            None => now.saturating_add(MAX_TIME_MS),
        };
        for moment in [now.midpoint(last), last] {
            assert_eq!(at(moment), at(now), "nothing changes until the next turn: {moment}");
        }
    }
}

/// The rules with violations never match. `compiled` is the number of rules that can match.
fn check_violations(targeting: &Targeting, audiences: &dyn Audiences, reason: Reason<'_>, compiled: usize) {
    let variants: Vec<_> = targeting
        .rules
        .iter()
        .flat_map(|rule| rule.splits.iter().map(|split| split.variant.clone()))
        .chain([targeting.off_variant.clone()])
        .collect();
    let violations = validate(targeting, &variants, audiences);
    for violation in &violations {
        assert!(!violation.detail.is_empty() && violation.pointer.starts_with("/rules"), "{violation:?}");
        // What exceeds a budget is still evaluated: a database of an earlier release may have it.
        let exceeds_budget = violation.pointer == "/rules" || violation.detail.starts_with("the patterns of ");
        if let Reason::Rule { index, .. } = reason
            && !exceeds_budget
        {
            let pointer = format!("/rules/{index}/");
            assert!(!format!("{}/", violation.pointer).starts_with(&pointer), "{violation:?} has matched");
        }
    }
    if violations.is_empty() && targeting.enabled {
        assert_eq!(compiled, targeting.rules.len(), "each valid rule can match");
    }
}
