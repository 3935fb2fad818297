//! A rule made ready for many evaluations.

use super::CompiledCondition;
use crate::percentage::Thousandths;
use crate::{
    Audiences, Basis, Condition, Instant, Invalid, Key, Percentage, Rule, RuleAudience, RuleExplanation, Share, Split,
    User,
};

/// A rule that can match.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    index: u32,
    name: String,
    conditions: Vec<CompiledCondition>,
    /// Each variant with the first position beyond its share, in order; the last one is 100,000.
    splits: Vec<(u32, Key)>,
}

impl CompiledRule {
    /// Compiles the rule with this index, or says all that is wrong with it, whatever the feature's variants.
    pub(crate) fn compile(index: u32, rule: &Rule, audiences: &dyn Audiences) -> Result<Self, Vec<Invalid>> {
        let mut flaws = Vec::new();
        let conditions = compile_audience(&rule.audience, audiences, &mut flaws);
        let splits = compile_splits(&rule.splits, &mut flaws);
        if !flaws.is_empty() {
            return Err(flaws);
        }
        Ok(Self { index, name: rule.name.clone(), conditions, splits })
    }

    pub(crate) fn index(&self) -> u32 {
        self.index
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The variants that some user can get.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &Key> {
        self.splits.iter().map(|(_, variant)| variant)
    }

    /// What decides for somebody whom it takes. Behind another rule, one for everyone is for those whom that one does not take.
    pub(crate) fn basis(&self, is_first: bool) -> Basis {
        match (self.splits.as_slice(), self.conditions.as_slice()) {
            ([_], []) if is_first => Basis::Everyone,
            ([_], _) => Basis::Conditions,
            (_, _) => Basis::Split,
        }
    }

    pub(crate) fn matches(&self, user: &User, now: Instant) -> bool {
        self.conditions.iter().all(|condition| condition.holds(user, now))
    }

    /// The variant at a position, which is asked for only where it decides. Always some, because splits add up.
    pub(crate) fn variant_at(&self, position: impl FnOnce() -> u32) -> Option<&Key> {
        if let [(_, variant)] = self.splits.as_slice() {
            return Some(variant);
        }
        self.share_at(position()).map(|share| share.variant)
    }

    /// The share that a position is in. Always some, because splits add up.
    pub(crate) fn share_at(&self, position: u32) -> Option<Share<'_>> {
        let place = self.splits.iter().position(|(sum, _)| *sum > position)?;
        let before = place.checked_sub(1).and_then(|before| self.splits.get(before));
        let from = before.map_or(0, |(sum, _)| *sum);
        self.splits.get(place).map(|(to, variant)| Share { variant, from, to: *to })
    }

    /// What holds of the rule for the user at this time.
    pub(crate) fn explain(&self, user: &User, now: Instant) -> RuleExplanation {
        let conditions = self.conditions.iter().map(|condition| condition.holds(user, now)).collect();
        RuleExplanation { index: self.index, matched: self.matches(user, now), conditions }
    }

    /// The next instant at which one of its conditions can turn, unless one has ended for good.
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
    flaws: &mut Vec<Invalid>,
) -> Vec<CompiledCondition> {
    match audience {
        RuleAudience::Inline(conditions) => {
            compile_conditions(conditions, flaws, |place, flaw| flaw.under(&format!("/conditions/{place}")))
        }
        RuleAudience::Saved(key) => match audiences.conditions(key) {
            Some(conditions) => compile_conditions(conditions, flaws, |_, flaw| {
                Invalid::new("/audienceKey", format!("the audience `{key}` cannot be used: {}", flaw.detail))
            }),
            None => {
                flaws.push(Invalid::new("/audienceKey", format!("there is no audience `{key}` in this environment")));
                Vec::new()
            }
        },
    }
}

fn compile_conditions(
    conditions: &[Condition],
    flaws: &mut Vec<Invalid>,
    locate: impl Fn(usize, Invalid) -> Invalid,
) -> Vec<CompiledCondition> {
    let mut compiled = Vec::with_capacity(conditions.len());
    for (place, condition) in conditions.iter().enumerate() {
        match CompiledCondition::compile(condition) {
            Ok(condition) => compiled.push(condition),
            Err(flaw) => flaws.push(locate(place, flaw)),
        }
    }
    compiled
}

fn compile_splits(splits: &[Split], flaws: &mut Vec<Invalid>) -> Vec<(u32, Key)> {
    if splits.is_empty() {
        flaws.push(Invalid::new("/splits", "a rule needs at least one split, such as one variant with 100 percent"));
        return Vec::new();
    }
    for (place, split) in splits.iter().enumerate() {
        if splits.iter().take(place).any(|earlier| earlier.variant == split.variant) {
            let detail = format!("the variant `{}` has two splits: add them up in one", split.variant);
            flaws.push(Invalid::new(format!("/splits/{place}/variantKey"), detail));
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
        let detail = format!("the splits of a rule add up to 100 percent; these add up to {}", Thousandths(sum));
        flaws.push(Invalid::new("/splits", detail));
    }
    compiled
}

#[cfg(test)]
mod tests {
    use super::CompiledRule;
    use crate::{Condition, Key, Percentage, Rule, RuleAudience, Split};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Where one share ends and the next begins; often the same place twice, so that shares of nothing come up.
    fn cut() -> impl Strategy<Value = u32> {
        prop_oneof![0..=100_000_u32, prop::sample::select(vec![0, 1, 50_000, 99_999, 100_000])]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn splits_share_all_positions_each_as_many_as_its_percentage(cuts in prop::collection::vec(cut(), 0..6)) {
            // Shares between sorted cuts add up to 100 percent, whatever the cuts are.
            let mut cuts: Vec<u32> = cuts;
            cuts.extend([0, 100_000]);
            cuts.sort_unstable();
            let shares: Vec<u32> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let splits = shares.iter().enumerate().map(|(place, share)| Split {
                variant: Key::parse(&format!("v{place}")).unwrap(),
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
