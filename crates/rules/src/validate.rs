//! What is refused when a rule is written.

use crate::compiled::{CompiledCondition, CompiledRule};
use crate::{Audiences, Condition, Invalid, Key, Targeting};

/// Everything that is wrong with a targeting of a feature that has these variants. Apart from unknown variants, what is
/// wrong here never matches in an evaluation: both ask the same code.
pub fn validate(targeting: &Targeting, variants: &[Key], audiences: &dyn Audiences) -> Vec<Invalid> {
    let unknown = |variant: &Key, pointer: String| {
        let known = || variants.iter().map(|variant| format!("`{variant}`")).collect::<Vec<_>>().join(", ");
        (!variants.contains(variant)).then(|| {
            Invalid::new(pointer, format!("the feature has no variant `{variant}`; its variants are {}", known()))
        })
    };
    let mut invalid: Vec<_> = unknown(&targeting.off_variant, "/offVariantKey".to_owned()).into_iter().collect();
    for (index, rule) in (0_u32..).zip(&targeting.rules) {
        let pointer = format!("/rules/{index}");
        if let Err(flaws) = CompiledRule::compile(index, rule, audiences) {
            invalid.extend(flaws.into_iter().map(|flaw| flaw.under(&pointer)));
        }
        for (place, split) in rule.splits.iter().enumerate() {
            invalid.extend(unknown(&split.variant, format!("{pointer}/splits/{place}/variantKey")));
        }
    }
    invalid
}

/// Everything that is wrong with the conditions of an audience.
pub fn validate_conditions(conditions: &[Condition]) -> Vec<Invalid> {
    let flaws = conditions.iter().enumerate().filter_map(|(place, condition)| {
        CompiledCondition::compile(condition).err().map(|flaw| flaw.under(&format!("/{place}")))
    });
    flaws.collect()
}
