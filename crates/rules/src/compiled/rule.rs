//! A rule compiled for fast evaluation.

use super::{CompiledCondition, ConditionResults};
use crate::pattern::Pattern;
use crate::percentage::Thousandths;
use crate::{
    Audiences, Basis, Condition, Instant, Key, Percentage, Rule, RuleAudience, RuleExplanation, Share, Split, User,
    Violation,
};
use std::sync::Arc;

/// A rule that can match.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    index: u32,
    name: String,
    conditions: Vec<Arc<CompiledCondition>>,
    /// Each variant with the first position after its share, in order. The last position is 100,000.
    splits: Vec<(u32, Key)>,
    /// The place of each split's variant among those of the feature.
    places: Vec<usize>,
}

impl CompiledRule {
    /// Compiles the rule with this index, or returns all of its violations. Does not check the variants.
    pub(crate) fn compile(index: u32, rule: &Rule, audiences: &dyn Audiences) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let conditions = compile_audience(&rule.audience, audiences, &mut violations);
        let splits = compile_splits(&rule.splits, &mut violations);
        if !violations.is_empty() {
            return Err(violations);
        }
        Ok(Self { index, name: rule.name.clone(), conditions, splits, places: Vec::new() })
    }

    /// Notes the places of its variants among those of the feature, which has all of them.
    pub(crate) fn locate(&mut self, variants: &[Key]) {
        let place = |(_, variant): &(u32, Key)| variants.iter().position(|known| known == variant);
        self.places = self.splits.iter().filter_map(place).collect();
    }

    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The variants that users can get.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &Key> {
        self.splits.iter().map(|(_, variant)| variant)
    }

    /// Whether two users whom it matches can get different variants.
    pub(crate) fn splits_users(&self) -> bool {
        self.splits.len() > 1
    }

    /// What the variant depends on when this rule matches. After another rule, even a rule without conditions depends on
    /// the other one not matching.
    pub(crate) fn basis(&self, is_first: bool) -> Basis {
        match (self.splits.as_slice(), self.conditions.as_slice()) {
            ([_], []) if is_first => Basis::Everyone,
            ([_], _) => Basis::Conditions,
            (_, _) => Basis::Split,
        }
    }

    pub(crate) fn matches(&self, user: &User, now: Instant) -> bool {
        self.conditions.iter().all(|condition| condition.matches(user, now))
    }

    /// The same, with the results of other rules.
    pub(crate) fn matches_with(&self, user: &User, now: Instant, results: &mut ConditionResults) -> bool {
        self.conditions.iter().all(|condition| results.matches(condition, user, now))
    }

    /// The variant at a position, which is computed only if needed. Always `Some`, because splits add up to 100%.
    pub(crate) fn variant_at(&self, position: impl FnOnce() -> u32) -> Option<&Key> {
        if let [(_, variant)] = self.splits.as_slice() {
            return Some(variant);
        }
        self.share_at(position()).map(|share| share.variant)
    }

    /// The place of the variant at a position among those of the feature, after [`Self::locate`].
    pub(crate) fn place_at(&self, position: impl FnOnce() -> u32) -> Option<usize> {
        if let [place] = self.places.as_slice() {
            return Some(*place);
        }
        let position = position();
        let index = self.splits.iter().position(|(end, _)| *end > position)?;
        self.places.get(index).copied()
    }

    /// The share that contains a position. Always `Some`, because splits add up to 100%.
    pub(crate) fn share_at(&self, position: u32) -> Option<Share<'_>> {
        let index = self.splits.iter().position(|(end, _)| *end > position)?;
        let previous = index.checked_sub(1).and_then(|previous| self.splits.get(previous));
        let from = previous.map_or(0, |(end, _)| *end);
        self.splits.get(index).map(|(to, variant)| Share { variant, from, to: *to })
    }

    /// Which conditions match the user at this time.
    pub(crate) fn explain(&self, user: &User, now: Instant) -> RuleExplanation {
        let conditions: Vec<_> = self.conditions.iter().map(|condition| condition.matches(user, now)).collect();
        RuleExplanation { index: self.index, matched: conditions.iter().all(|matches| *matches), conditions }
    }

    /// The patterns of its conditions.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.conditions.iter().filter_map(|condition| condition.pattern())
    }

    /// The next instant at which time can change the result of a condition. `None` if the rule can never match again.
    pub(crate) fn next_turn(&self, now: Instant) -> Option<Instant> {
        if self.conditions.iter().any(|condition| condition.is_over(now)) {
            return None;
        }
        self.conditions.iter().filter_map(|condition| condition.next_turn(now)).min()
    }
}

fn compile_audience(
    audience: &RuleAudience,
    audiences: &dyn Audiences,
    violations: &mut Vec<Violation>,
) -> Vec<Arc<CompiledCondition>> {
    match audience {
        RuleAudience::Inline(conditions) => compile_conditions(conditions, violations, |index, violation| {
            violation.under(&format!("/conditions/{index}"))
        }),
        RuleAudience::Saved(key) => match audiences.conditions(key) {
            Some(conditions) => compile_conditions(conditions, violations, |_, violation| {
                Violation::new("/audienceKey", format!("the audience `{key}` is invalid: {}", violation.detail))
            }),
            None => {
                let detail = format!("there is no audience `{key}` in this environment");
                violations.push(Violation::new("/audienceKey", detail));
                Vec::new()
            }
        },
    }
}

pub(crate) fn compile_conditions(
    conditions: &[Condition],
    violations: &mut Vec<Violation>,
    locate: impl Fn(usize, Violation) -> Violation,
) -> Vec<Arc<CompiledCondition>> {
    let mut compiled = Vec::with_capacity(conditions.len());
    for (index, condition) in conditions.iter().enumerate() {
        match CompiledCondition::shared(condition) {
            Ok(condition) => compiled.push(condition),
            Err(violation) => violations.push(locate(index, violation)),
        }
    }
    compiled
}

/// Whether the splits of a rule add up to 100%, each variant once. If not, the rule never matches.
pub(crate) fn has_valid_splits(rule: &Rule) -> bool {
    let mut violations = Vec::new();
    compile_splits(&rule.splits, &mut violations);
    violations.is_empty()
}

fn compile_splits(splits: &[Split], violations: &mut Vec<Violation>) -> Vec<(u32, Key)> {
    if splits.is_empty() {
        let detail = "a rule needs at least one split, such as one variant with 100%";
        violations.push(Violation::new("/splits", detail));
        return Vec::new();
    }
    for (index, split) in splits.iter().enumerate() {
        if splits.iter().take(index).any(|earlier| earlier.variant == split.variant) {
            let detail = format!("the variant `{}` has two splits; combine them into one", split.variant);
            violations.push(Violation::new(format!("/splits/{index}/variantKey"), detail));
        }
    }
    let mut compiled = Vec::with_capacity(splits.len());
    let mut sum = 0_u32;
    for split in splits {
        sum = sum.saturating_add(split.percentage.thousandths());
        if split.percentage.thousandths() > 0 {
            compiled.push((sum, split.variant.clone()));
        }
    }
    if sum != Percentage::HUNDRED.thousandths() {
        let detail = format!("the splits of a rule must add up to 100%; these add up to {}%", Thousandths(sum));
        violations.push(Violation::new("/splits", detail));
    }
    compiled
}

#[cfg(test)]
mod tests {
    use super::CompiledRule;
    use crate::{Condition, Key, Percentage, Rule, RuleAudience, Split};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// A boundary between two shares. Some values are frequent, so that empty shares occur.
    fn boundary() -> impl Strategy<Value = u32> {
        prop_oneof![0..=100_000_u32, prop::sample::select(vec![0, 1, 50_000, 99_999, 100_000])]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn each_split_gets_as_many_positions_as_its_percentage(boundaries in prop::collection::vec(boundary(), 0..6)) {
            // The shares between sorted boundaries always add up to 100%.
            let mut boundaries: Vec<u32> = boundaries;
            boundaries.extend([0, 100_000]);
            boundaries.sort_unstable();
            let shares: Vec<u32> = boundaries.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let splits = shares.iter().enumerate().map(|(index, share)| Split {
                variant: Key::parse(&format!("v{index}")).unwrap(),
                percentage: Percentage::from_thousandths(*share).unwrap(),
            });
            let rule = Rule { name: String::new(), audience: RuleAudience::Inline(vec![]), splits: splits.collect() };
            let compiled = CompiledRule::compile(0, &rule, &BTreeMap::<Key, Vec<Condition>>::new()).unwrap();

            let mut positions = BTreeMap::<&Key, u32>::new();
            for position in 0..100_000 {
                let variant = compiled.variant_at(|| position).expect("every position has a variant");
                *positions.entry(variant).or_default() += 1;
            }
            for split in &rule.splits {
                let share = positions.get(&split.variant).copied().unwrap_or(0);
                prop_assert_eq!(share, split.percentage.thousandths(), "positions of {}", &split.variant);
            }
            let served: BTreeSet<&Key> = compiled.variants().collect();
            prop_assert_eq!(served, positions.into_keys().collect::<BTreeSet<_>>());
        }
    }
}
