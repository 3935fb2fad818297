//! From what to what a change changes, for annotations: the lifecycle status, the off variant, percentages.

use std::ptr;

use flagservice_core::{Key, variant};
use flagservice_rules::{Percentage, Rule, Targeting};

use crate::app::changes::rule_changes::RuleChanges;
use crate::domain::changes::flag_change::{Aspect, MAX_TRANSITIONS, Transition};
use crate::domain::feature::Lifecycle;

/// The change of the lifecycle status, if there is one.
pub(super) fn of_lifecycle(before: Lifecycle, after: Lifecycle) -> Option<Transition> {
    (before != after).then(|| transition(Aspect::Lifecycle, before.to_string(), after.to_string()))
}

/// The changes of the off variant and of percentages. Beyond the most that annotations show there is one more, which tells that there
/// are others.
pub(super) fn of_targeting(before: &Targeting, after: &Targeting) -> Vec<Transition> {
    let off_variant = (before.off_variant != after.off_variant)
        .then(|| transition(Aspect::OffVariant, before.off_variant.to_string(), after.off_variant.to_string()));
    off_variant.into_iter().chain(of_splits(before, after)).take(MAX_TRANSITIONS + 1).collect()
}

fn transition(aspect: Aspect, from: String, to: String) -> Transition {
    Transition { aspect, of: String::new(), from, to }
}

/// The percentages that changed. If several rules have other percentages, each is named.
fn of_splits(before: &Targeting, after: &Targeting) -> Vec<Transition> {
    let pairs = RuleChanges::between(&before.rules, &after.rules);
    let changed: Vec<_> = pairs
        .pairs()
        .map(|(left, right)| (right, of_rule(left, right)))
        .filter(|(_, shares)| !shares.is_empty())
        .collect();
    if let [(_, only)] = changed.as_slice() {
        return only.clone();
    }
    let named = |(rule, shares): (&Rule, Vec<Transition>)| {
        let name = name(rule, &after.rules);
        shares.into_iter().map(move |share| {
            let of = format!("{name}: {}", share.of).trim_end().to_owned();
            Transition { of, ..share }
        })
    };
    changed.into_iter().flat_map(named).collect()
}

/// The name of a rule, or its place.
fn name(rule: &Rule, rules: &[Rule]) -> String {
    if !rule.name.trim().is_empty() {
        return rule.name.clone();
    }
    let place = rules.iter().position(|candidate| ptr::eq(candidate, rule)).unwrap_or_default();
    format!("rule {}", place + 1)
}

/// The percentages of a rule that changed, each with its variant. Of `off` and one other variant, only the other's counts: `0% to 50%`.
fn of_rule(before: &Rule, after: &Rule) -> Vec<Transition> {
    let mut variants: Vec<&Key> = Vec::new();
    for split in after.splits.iter().chain(&before.splits) {
        if !variants.contains(&&split.variant) {
            variants.push(&split.variant);
        }
    }
    let has_off = variants.iter().any(|key| key.as_str() == variant::OFF);
    let is_clear = variants.len() == 2 && has_off;
    let shown = variants.into_iter().filter(|key| !(is_clear && key.as_str() == variant::OFF));
    let changed = shown.filter_map(|key| {
        let (from, to) = (share(before, key), share(after, key));
        let of = if is_clear { String::new() } else { key.to_string() };
        let (from_text, to_text) = (format!("{from}%"), format!("{to}%"));
        (from != to).then_some(Transition { aspect: Aspect::RolloutPercentage, of, from: from_text, to: to_text })
    });
    changed.collect()
}

fn share(rule: &Rule, variant: &Key) -> Percentage {
    let splits = rule.splits.iter().filter(|split| split.variant == *variant);
    let sum = splits.map(|split| split.percentage.thousandths()).fold(0, u32::saturating_add);
    Percentage::from_thousandths(sum).unwrap_or(Percentage::HUNDRED)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::of_targeting;
    use crate::domain::changes::flag_change::MAX_TRANSITIONS;

    /// A rule for a team, with the percentages of its variants.
    fn rule(team: &str, name: &str, splits: &[(&str, f64)]) -> Value {
        let splits: Vec<_> =
            splits.iter().map(|(variant, share)| json!({ "variantKey": variant, "percentage": share })).collect();
        let condition = json!({ "attribute": "team", "operator": "equals", "values": [team] });
        json!({ "name": name, "conditions": [condition], "splits": splits })
    }

    fn transitions(before: &[Value], after: &[Value]) -> Vec<String> {
        let targeting = |rules: &[Value]| {
            serde_json::from_value(json!({ "enabled": true, "offVariantKey": "off", "rules": rules })).unwrap()
        };
        let shown = of_targeting(&targeting(before), &targeting(after)).into_iter();
        shown.map(|shown| format!("{} {} to {}", shown.of, shown.from, shown.to).trim().to_owned()).collect()
    }

    #[test]
    fn a_percentage_is_that_of_the_other_variant_beside_off_and_else_has_its_variant() {
        let on_off = |on: f64| rule("a", "Team", &[("on", on), ("off", 100.0 - on)]);
        assert_eq!(transitions(&[on_off(0.0)], &[on_off(50.0)]), ["0% to 50%"]);
        assert_eq!(transitions(&[rule("a", "", &[("on", 100.0)])], &[on_off(33.333)]), ["100% to 33.333%"]);
        let colours = |red: f64| rule("a", "Team", &[("red", red), ("green", 90.0 - red), ("off", 10.0)]);
        assert_eq!(transitions(&[colours(10.0)], &[colours(20.0)]), ["red 10% to 20%", "green 80% to 70%"]);
        assert_eq!(
            transitions(&[rule("a", "", &[("red", 100.0)])], &[rule("a", "", &[("green", 100.0)])]),
            ["green 0% to 100%", "red 100% to 0%"]
        );
        assert!(transitions(&[colours(10.0)], &[colours(10.0), on_off(5.0)]).is_empty(), "an added rule");
    }

    #[test]
    fn percentages_of_several_rules_have_the_name_or_the_place_of_the_rule() {
        let rules = |first: f64, second: f64| {
            let of = |on: f64| [("on", on), ("off", 100.0 - on)];
            [rule("a", "Beta testers", &of(first)), rule("b", " ", &of(second))]
        };
        assert_eq!(
            transitions(&rules(0.0, 10.0), &rules(50.0, 20.0)),
            ["Beta testers: 0% to 50%", "rule 2: 10% to 20%"]
        );
        assert_eq!(transitions(&rules(0.0, 10.0), &rules(0.0, 20.0)), ["10% to 20%"]);
    }

    #[test]
    fn the_number_of_transitions_is_limited() {
        let rules = |on: f64| -> Vec<_> {
            (0..100).map(|index| rule(&index.to_string(), "", &[("on", on), ("off", 100.0 - on)])).collect()
        };
        assert_eq!(transitions(&rules(0.0), &rules(1.0)).len(), MAX_TRANSITIONS + 1);
    }
}
