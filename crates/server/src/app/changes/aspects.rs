//! What counts as a change of a feature: a pure comparison of before and after, which streams, audit and annotations read.

use flagservice_rules::{Rule, Targeting};

use crate::app::changes::rule_changes::RuleChanges;
use crate::domain::changes::flag_change::Aspect;

/// The aspects in which two targetings differ. Names of rules are wording and do not count.
pub fn of_targeting(before: &Targeting, after: &Targeting) -> Vec<Aspect> {
    let mut aspects = Vec::new();
    match (before.enabled, after.enabled) {
        (false, true) => aspects.push(Aspect::Enabled),
        (true, false) => aspects.push(Aspect::Disabled),
        (true, true) | (false, false) => {}
    }
    if before.off_variant != after.off_variant {
        aspects.push(Aspect::OffVariant);
    }
    aspects.extend(of_rules(&before.rules, &after.rules));
    aspects
}

/// The aspects of a change that somebody asks for. A targeting that is accepted as it is serves its off variant from then on.
pub(super) fn of_request(before: &Targeting, after: &Targeting) -> Vec<Aspect> {
    if before == after { vec![Aspect::OffVariant] } else { of_targeting(before, after) }
}

fn of_rules(before: &[Rule], after: &[Rule]) -> Vec<Aspect> {
    let changes = RuleChanges::between(before, after);
    let mut aspects = Vec::new();
    if changes.added() > 0 {
        aspects.push(Aspect::RuleAdded);
    }
    if changes.edited().next().is_some() || changes.is_reordered {
        aspects.push(Aspect::RuleEdited);
    }
    if changes.removed() > 0 {
        aspects.push(Aspect::RuleRemoved);
    }
    if changes.pairs().any(|(left, right)| left.splits != right.splits) {
        aspects.push(Aspect::RolloutPercentage);
    }
    aspects
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{of_request, of_targeting};
    use crate::domain::changes::flag_change::Aspect;

    fn rules(first: u32, audience: &str) -> Value {
        json!([
            { "name": "team", "conditions": [{ "attribute": "team", "operator": "equals", "values": [audience] }],
              "splits": [{ "variantKey": "on", "percentage": 100 }] },
            { "name": "rest", "splits": [{ "variantKey": "on", "percentage": first },
                                         { "variantKey": "off", "percentage": 100 - first }] }
        ])
    }

    fn aspects(before: Value, after: Value) -> Vec<Aspect> {
        let read = |value: Value| {
            let (enabled, rules) = (value["enabled"] != json!(false), &value["rules"]);
            serde_json::from_value(json!({ "enabled": enabled, "offVariantKey": "off", "rules": rules })).unwrap()
        };
        of_targeting(&read(before), &read(after))
    }

    #[test]
    fn each_trigger_of_the_specification_is_told_by_its_name() {
        let base = json!({ "rules": rules(0, "a") });
        assert_eq!(aspects(base.clone(), json!({ "rules": rules(50, "a") })), [Aspect::RolloutPercentage]);
        assert_eq!(aspects(base.clone(), json!({ "rules": rules(0, "b") })), [Aspect::RuleEdited]);
        assert_eq!(aspects(base.clone(), json!({ "rules": [rules(0, "a")[0]] })), [Aspect::RuleRemoved]);
        assert_eq!(aspects(json!({ "rules": [rules(0, "a")[1]] }), base.clone()), [Aspect::RuleAdded]);
        assert_eq!(aspects(base.clone(), json!({ "enabled": false, "rules": rules(0, "a") })), [Aspect::Disabled]);
        assert_eq!(aspects(json!({ "enabled": false, "rules": rules(0, "a") }), base.clone()), [Aspect::Enabled]);
    }

    /// Rules for these teams, `on` for so many percent of each.
    fn for_teams(teams: &[(&str, u32)]) -> Value {
        let rule = |(team, on): &(&str, u32)| {
            json!({ "name": team, "conditions": [{ "attribute": "team", "operator": "equals", "values": [team] }],
                    "splits": [{ "variantKey": "on", "percentage": on }, { "variantKey": "off", "percentage": 100 - on }] })
        };
        json!({ "rules": teams.iter().map(rule).collect::<Vec<_>>() })
    }

    #[test]
    fn a_change_with_several_aspects_names_each_of_them_and_no_other() {
        use Aspect::{RolloutPercentage, RuleAdded, RuleEdited, RuleRemoved};
        let base = [("a", 10), ("b", 20), ("c", 30)];
        for (after, expected) in [
            (vec![("new", 5), ("a", 10), ("b", 20), ("c", 30)], vec![RuleAdded]),
            (vec![("new", 5), ("a", 15), ("b", 20), ("c", 30)], vec![RuleAdded, RolloutPercentage]),
            (vec![("a", 10), ("new", 5), ("b", 20), ("c", 35)], vec![RuleAdded, RolloutPercentage]),
            (vec![("b", 20), ("c", 35)], vec![RuleRemoved, RolloutPercentage]),
            (vec![("b", 20), ("c", 30), ("a", 10)], vec![RuleEdited]),
            (vec![("a", 10), ("other", 20), ("c", 30)], vec![RuleEdited]),
            (vec![("a", 10), ("other", 25), ("c", 30)], vec![RuleEdited, RolloutPercentage]),
            (vec![("a", 10), ("other", 20), ("c", 35)], vec![RuleEdited, RolloutPercentage]),
            (vec![("a", 10), ("a", 10), ("b", 20), ("c", 30)], vec![RuleAdded]),
            (vec![("a", 50), ("a", 10), ("b", 20), ("c", 30)], vec![RuleAdded]),
            (vec![("a", 10), ("other", 20)], vec![RuleEdited, RuleRemoved]),
            (vec![("c", 30), ("other", 10), ("new", 20), ("fourth", 1)], vec![RuleAdded, RuleEdited]),
            (vec![], vec![RuleRemoved]),
        ] {
            assert_eq!(aspects(for_teams(&base), for_teams(&after)), expected, "{after:?}");
        }
    }

    #[test]
    fn a_targeting_that_is_accepted_as_it_is_serves_its_off_variant_from_then_on() {
        let same = serde_json::from_value(json!({ "enabled": false, "offVariantKey": "red", "rules": [] })).unwrap();
        assert_eq!(of_request(&same, &same), [Aspect::OffVariant]);
    }

    #[test]
    fn a_rule_that_only_has_another_name_is_no_change() {
        let base = json!({ "rules": rules(0, "a") });
        let mut renamed = base.clone();
        renamed["rules"][0]["name"] = json!("crew");
        assert_eq!(aspects(base, renamed), []);
    }
}
