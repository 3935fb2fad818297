//! What counts as a change of a feature: a pure comparison of before and after, which streams, audit and annotations read.

use flagservice_rules::{Rule, Targeting};
use serde::{Deserialize, Serialize};

/// One aspect of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Aspect {
    /// The feature was created.
    Created,
    /// Draft, Active or Archived.
    Lifecycle,
    /// Targeting was switched on.
    Enabled,
    /// Targeting was switched off.
    Disabled,
    /// Another variant is served while targeting is off or no rule matches.
    OffVariant,
    /// There is a new rule.
    RuleAdded,
    /// A rule has another audience, or stands at another place.
    RuleEdited,
    /// A rule is gone.
    RuleRemoved,
    /// A rule's splits have other percentages or variants.
    RolloutPercentage,
}

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

/// Rules that are the same at both ends are set aside; what is left between was added, removed or edited.
fn of_rules(before: &[Rule], after: &[Rule]) -> Vec<Aspect> {
    let same = |(left, right): &(&Rule, &Rule)| left.audience == right.audience && left.splits == right.splits;
    let head = before.iter().zip(after).take_while(same).count();
    let (before, after) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let before = before.get(..before.len() - tail).unwrap_or_default();
    let after = after.get(..after.len() - tail).unwrap_or_default();

    let mut aspects = Vec::new();
    if after.len() > before.len() {
        aspects.push(Aspect::RuleAdded);
    }
    if before.iter().zip(after).any(|(left, right)| left.audience != right.audience) {
        aspects.push(Aspect::RuleEdited);
    }
    if before.len() > after.len() {
        aspects.push(Aspect::RuleRemoved);
    }
    if before.iter().zip(after).any(|(left, right)| left.audience == right.audience && left.splits != right.splits) {
        aspects.push(Aspect::RolloutPercentage);
    }
    aspects
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Aspect, of_targeting};

    fn rules(first: u32, audience: &str) -> Value {
        json!([
            { "name": "team", "conditions": [{ "attribute": "team", "operator": "equals", "values": [audience] }],
              "splits": [{ "variantKey": "on", "percentage": 100 }] },
            { "name": "rest", "splits": [{ "variantKey": "on", "percentage": first },
                                         { "variantKey": "off", "percentage": 100 - first }] }
        ])
    }

    fn aspects(before: Value, after: Value) -> Vec<Aspect> {
        let read = |(enabled, rules): (bool, Value)| {
            serde_json::from_value(json!({ "enabled": enabled, "offVariantKey": "off", "rules": rules })).unwrap()
        };
        let pair = |value: Value| (value["enabled"] != json!(false), value["rules"].clone());
        of_targeting(&read(pair(before)), &read(pair(after)))
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

    #[test]
    fn a_rule_that_only_has_another_name_is_no_change() {
        let base = json!({ "rules": rules(0, "a") });
        let mut renamed = base.clone();
        renamed["rules"][0]["name"] = json!("crew");
        assert_eq!(aspects(base, renamed), []);
    }
}
