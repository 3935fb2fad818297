//! Validates targeting and conditions before they are saved.

use crate::compiled::{CompiledCondition, CompiledRule};
use crate::{Audiences, Condition, Key, Targeting, Violation};

/// All violations in the targeting of a feature that has these variants. Rules with a violation never match in an
/// evaluation, because both use the same code. The exception is an unknown variant.
pub fn validate(targeting: &Targeting, variants: &[Key], audiences: &dyn Audiences) -> Vec<Violation> {
    let unknown_variant = |variant: &Key, pointer: String| {
        let known = || variants.iter().map(|variant| format!("`{variant}`")).collect::<Vec<_>>().join(", ");
        (!variants.contains(variant)).then(|| {
            Violation::new(pointer, format!("the feature has no variant `{variant}`; its variants are {}", known()))
        })
    };
    let mut violations: Vec<_> =
        unknown_variant(&targeting.off_variant, "/offVariantKey".to_owned()).into_iter().collect();
    for (rule_index, rule) in (0_u32..).zip(&targeting.rules) {
        let pointer = format!("/rules/{rule_index}");
        if let Err(of_rule) = CompiledRule::compile(rule_index, rule, audiences) {
            violations.extend(of_rule.into_iter().map(|violation| violation.under(&pointer)));
        }
        for (index, split) in rule.splits.iter().enumerate() {
            violations.extend(unknown_variant(&split.variant, format!("{pointer}/splits/{index}/variantKey")));
        }
    }
    violations
}

/// All violations in the conditions of an audience.
pub fn validate_conditions(conditions: &[Condition]) -> Vec<Violation> {
    let violations = conditions.iter().enumerate().filter_map(|(index, condition)| {
        CompiledCondition::compile(condition).err().map(|violation| violation.under(&format!("/{index}")))
    });
    violations.collect()
}
