//! Validates targeting and conditions before they are saved.

use crate::budget::{self, Whose};
use crate::compiled::{CompiledCondition, CompiledRule};
use crate::{Audiences, Condition, Key, Rule, Targeting, Violation};
use std::collections::HashSet;

/// All violations in the targeting of a feature that has these variants. Rules with a violation never match in an
/// evaluation, because both use the same code. The exceptions are an unknown variant, and what exceeds a budget of
/// [`crate::limits`]: then nothing else is validated, because that would take too long.
pub fn validate(targeting: &Targeting, variants: &[Key], audiences: &dyn Audiences) -> Vec<Violation> {
    validate_edit(None, targeting, variants, audiences)
}

/// The same for a targeting that replaces another. What exceeds a budget there already may stay, or become less.
pub fn validate_edit(
    before: Option<&Targeting>,
    targeting: &Targeting,
    variants: &[Key],
    audiences: &dyn Audiences,
) -> Vec<Violation> {
    let variants = Variants::of(variants);
    let of_off_variant = variants.unknown(&targeting.off_variant, || "/offVariantKey".to_owned());
    let mut violations: Vec<_> = of_off_variant.into_iter().collect();
    if let Err(violation) = budget::check_rules(before, targeting) {
        violations.push(violation);
        return violations;
    }
    let before = before.map(|before| budget::of_targeting(before, audiences)).unwrap_or_default();
    // Until the rules are compiled, which then finds their patterns in memory.
    let _patterns = match budget::compile(Whose::Targeting, &before, &budget::of_targeting(targeting, audiences)) {
        Ok(patterns) => patterns,
        Err(violation) => {
            violations.push(violation);
            return violations;
        }
    };
    for (rule_index, rule) in (0_u32..).zip(&targeting.rules) {
        let pointer = format!("/rules/{rule_index}");
        if let Err(of_rule) = CompiledRule::compile(rule_index, rule, audiences) {
            violations.extend(of_rule.into_iter().map(|violation| violation.under(&pointer)));
        }
        violations.extend(variants.unknown_in(rule).map(|violation| violation.under(&pointer)));
    }
    violations
}

/// The variants in a targeting that the feature does not have. Compiles nothing.
pub fn validate_variants(targeting: &Targeting, variants: &[Key]) -> Vec<Violation> {
    let variants = Variants::of(variants);
    let of_off_variant = variants.unknown(&targeting.off_variant, || "/offVariantKey".to_owned());
    let of_rules = targeting.rules.iter().enumerate().flat_map(|(index, rule)| {
        variants.unknown_in(rule).map(move |violation| violation.under(&format!("/rules/{index}")))
    });
    of_off_variant.into_iter().chain(of_rules).collect()
}

/// The variants of a feature.
struct Variants<'a> {
    known: HashSet<&'a Key>,
    /// The first of them, for messages.
    named: String,
}

impl<'a> Variants<'a> {
    fn of(variants: &'a [Key]) -> Self {
        /// A message of each unknown one names as many.
        const MAX_NAMED: usize = 20;
        let names: Vec<_> = variants.iter().take(MAX_NAMED).map(|variant| format!("`{variant}`")).collect();
        let named = match variants.len().saturating_sub(MAX_NAMED) {
            0 => names.join(", "),
            others => format!("{} and {others} others", names.join(", ")),
        };
        Self { known: variants.iter().collect(), named }
    }

    fn unknown_in(&self, rule: &Rule) -> impl Iterator<Item = Violation> {
        rule.splits
            .iter()
            .enumerate()
            .filter_map(|(index, split)| self.unknown(&split.variant, || format!("/splits/{index}/variantKey")))
    }

    fn unknown(&self, variant: &Key, pointer: impl FnOnce() -> String) -> Option<Violation> {
        let detail = || format!("the feature has no variant `{variant}`; its variants are {}", self.named);
        (!self.known.contains(variant)).then(|| Violation::new(pointer(), detail()))
    }
}

/// All violations in the conditions of an audience.
pub fn validate_conditions(conditions: &[Condition]) -> Vec<Violation> {
    validate_conditions_edit(&[], conditions)
}

/// The same for conditions that replace others. What exceeds a budget there already may stay, or become less.
pub fn validate_conditions_edit(before: &[Condition], conditions: &[Condition]) -> Vec<Violation> {
    let (before, after) = (budget::of_audience(before), budget::of_audience(conditions));
    // Until the conditions are compiled, which then finds their patterns in memory.
    let _patterns = match budget::compile(Whose::Audience, &before, &after) {
        Ok(patterns) => patterns,
        Err(violation) => return vec![violation],
    };
    let violations = conditions.iter().enumerate().filter_map(|(index, condition)| {
        CompiledCondition::compile(condition).err().map(|violation| violation.under(&format!("/{index}")))
    });
    violations.collect()
}
