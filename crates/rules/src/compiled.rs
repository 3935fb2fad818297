//! A feature compiled for fast evaluation: patterns and dates are parsed, percentages summed, invalid rules left out.

mod audience;
mod comparison;
mod condition;
mod experiment;
mod results;
mod rule;

pub use audience::CompiledAudience;
pub(crate) use condition::CompiledCondition;
pub use experiment::CompiledExperiment;
pub use results::ConditionResults;
pub(crate) use rule::{CompiledRule, has_valid_splits};

use crate::{Audiences, Basis, Evaluation, Explanation, Instant, Key, Patterns, Reason, Targeting, User, bucket};

/// The compiled targeting of a feature in an environment.
#[derive(Clone, Debug)]
pub struct CompiledFeature {
    key: Key,
    hash_prefix: String,
    enabled: bool,
    off_variant: Key,
    /// The rules that can match. Empty while targeting is off.
    rules: Vec<CompiledRule>,
    variants: Vec<Key>,
}

impl CompiledFeature {
    /// Compiles a feature. Never fails: a rule that [`crate::validate`] rejects never matches. A variant that the feature
    /// does not have is served as written.
    pub fn compile(key: &Key, salt: &str, targeting: &Targeting, audiences: &dyn Audiences) -> Self {
        let mut rules = Vec::new();
        if targeting.enabled {
            let indexed = (0_u32..).zip(&targeting.rules);
            rules.extend(indexed.filter_map(|(index, rule)| CompiledRule::compile(index, rule, audiences).ok()));
        }
        let mut variants = vec![targeting.off_variant.clone()];
        for variant in rules.iter().flat_map(CompiledRule::variants) {
            if !variants.contains(variant) {
                variants.push(variant.clone());
            }
        }
        for rule in &mut rules {
            rule.locate(&variants);
        }
        Self {
            key: key.clone(),
            hash_prefix: bucket::hash_prefix(salt, key.as_str()),
            enabled: targeting.enabled,
            off_variant: targeting.off_variant.clone(),
            rules,
            variants,
        }
    }

    /// The feature's key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The variants that an evaluation can return, without duplicates. The off variant comes first.
    pub fn variants(&self) -> &[Key] {
        &self.variants
    }

    /// The user's variant at this time, with its reason.
    pub fn evaluate(&self, user: &User, now: Instant) -> Evaluation<'_> {
        match self.first_match(user, now) {
            // The position is not needed, and a hash takes time.
            None => self.decided_by(None, 0),
            rule @ Some(_) => self.decided_by(rule, self.position(user)),
        }
    }

    /// The evaluation of a user at this position in the splits, by the first rule that matches.
    fn decided_by<'a>(&'a self, rule: Option<&'a CompiledRule>, position: u32) -> Evaluation<'a> {
        let off = |reason| Evaluation { variant: &self.off_variant, reason };
        match rule {
            _ if !self.enabled => off(Reason::Off),
            None => off(Reason::NoRuleMatched),
            Some(rule) => {
                let reason = Reason::Rule { index: rule.index(), name: rule.name(), position };
                Evaluation { variant: rule.variant_at(|| position).unwrap_or(&self.off_variant), reason }
            }
        }
    }

    /// The patterns that it keeps in memory; none while targeting is off.
    pub fn patterns(&self) -> Patterns {
        let mut patterns = Patterns::default();
        self.rules.iter().flat_map(CompiledRule::patterns).for_each(|pattern| patterns.add(pattern.clone()));
        patterns
    }

    /// What an evaluation with this reason depended on.
    pub fn basis(&self, reason: Reason<'_>) -> Basis {
        match reason {
            Reason::Off => Basis::Off,
            Reason::NoRuleMatched if self.rules.is_empty() => Basis::Everyone,
            Reason::NoRuleMatched => Basis::NoMatch,
            Reason::Rule { index, .. } => {
                let matched = self.rules.iter().enumerate().find(|(_, rule)| rule.index() == index);
                matched.map_or(Basis::NoMatch, |(position, rule)| rule.basis(position == 0))
            }
        }
    }

    /// The user's variant at this time. Allocates nothing, and hashes the user only for rules with several splits.
    pub fn variant(&self, user: &User, now: Instant) -> &Key {
        let rule = self.first_match(user, now);
        rule.and_then(|rule| rule.variant_at(|| self.position(user))).unwrap_or(&self.off_variant)
    }

    /// The place of [`Self::variant`] among [`Self::variants`], with the results that other features have left for the user at this time.
    pub fn variant_place(&self, user: &User, now: Instant, results: &mut ConditionResults) -> usize {
        let rule = self.rules.iter().find(|rule| rule.matches_with(user, now, results));
        // The off variant has the first place.
        rule.and_then(|rule| rule.place_at(|| self.position(user))).unwrap_or(0)
    }

    /// Whether the rule that decides for the user at this time gives different users different variants.
    pub fn splits_users(&self, user: &User, now: Instant, results: &mut ConditionResults) -> bool {
        let rule = self.rules.iter().find(|rule| rule.matches_with(user, now, results));
        rule.is_some_and(CompiledRule::splits_users)
    }

    /// The same evaluation with the details that explain it to people.
    pub fn explain(&self, user: &User, now: Instant) -> Explanation<'_> {
        // Each condition once: to search a long text for a pattern takes long.
        let rules: Vec<_> = self.rules.iter().map(|rule| rule.explain(user, now)).collect();
        let position = self.position(user);
        let deciding = self.rules.iter().zip(&rules).find(|(_, explained)| explained.matched).map(|(rule, _)| rule);
        let share = deciding.and_then(|rule| rule.share_at(position));
        let Evaluation { variant, reason } = self.decided_by(deciding, position);
        Explanation { variant, reason, position, share, rules }
    }

    /// The next instant after `now` at which a time condition can change its result. Until then no user's variant changes.
    /// `None` if there is no such instant.
    pub fn next_turn(&self, now: Instant) -> Option<Instant> {
        self.rules.iter().filter_map(|rule| rule.next_turn(now)).min()
    }

    fn first_match(&self, user: &User, now: Instant) -> Option<&CompiledRule> {
        self.rules.iter().find(|rule| rule.matches(user, now))
    }

    fn position(&self, user: &User) -> u32 {
        bucket::position_with_prefix(&self.hash_prefix, &user.id)
    }
}
