//! Compares the targeting of a feature in two environments by structure. The names of rules do not matter, nor whether
//! conditions are inline or in a saved audience.
//!
//! Nothing is interpreted: the order of lists counts, and values are compared as written. If the sides are equal, every
//! user always gets the same variant on both. If they differ, users may still get the same variants.
//! `docs/decisions/0011-comparison.md` explains why.

use crate::{Audiences, Condition, Key, Rule, RuleAudience, Targeting};
use core::fmt;
use serde::{Serialize, Serializer};

/// A feature's targeting in one environment, with the saved audiences that its rules can use there.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The feature's targeting.
    pub targeting: &'a Targeting,
    /// The audiences of that environment.
    pub audiences: &'a dyn Audiences,
}

/// A part in which two sides differ. Displayed and serialised as the specification's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Targeting is on in one environment and off in the other.
    OnOffState,
    /// The variant served while targeting is off or when no rule matches.
    OffVariant,
    /// The rules, whether targeting is on or off.
    TargetingRules,
}

impl Difference {
    /// All differences, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::OnOffState, Self::OffVariant, Self::TargetingRules];

    /// The label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OnOffState => "On/off state",
            Self::OffVariant => "Off variant",
            Self::TargetingRules => "Targeting rules",
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The parts in which the sides differ, in the order of [`Difference::ALL`]. Empty if they are identical.
pub fn compare(source: Side<'_>, target: Side<'_>) -> Vec<Difference> {
    let differs = |difference: &Difference| match difference {
        Difference::OnOffState => source.targeting.enabled != target.targeting.enabled,
        Difference::OffVariant => source.targeting.off_variant != target.targeting.off_variant,
        Difference::TargetingRules => !same_rules(source, target),
    };
    Difference::ALL.into_iter().filter(differs).collect()
}

/// Whether the rules do not differ.
pub(crate) fn same_rules(source: Side<'_>, target: Side<'_>) -> bool {
    let (source_rules, target_rules) = (&source.targeting.rules, &target.targeting.rules);
    let same = |(a, b): (&Rule, &Rule)| a.splits == b.splits && resolve(a, source) == resolve(b, target);
    source_rules.len() == target_rules.len() && source_rules.iter().zip(target_rules).all(same)
}

/// The audience of a rule, whether inline or saved.
#[derive(PartialEq)]
enum ResolvedAudience<'a> {
    /// Users who match all conditions.
    Conditions(&'a [Condition]),
    /// The saved audience does not exist, so the rule matches nobody.
    Missing(&'a Key),
}

fn resolve<'a>(rule: &'a Rule, side: Side<'a>) -> ResolvedAudience<'a> {
    match &rule.audience {
        RuleAudience::Inline(conditions) => ResolvedAudience::Conditions(conditions),
        RuleAudience::Saved(key) => {
            side.audiences.conditions(key).map_or(ResolvedAudience::Missing(key), ResolvedAudience::Conditions)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Difference;

    #[test]
    fn the_differences_have_exactly_these_labels_in_this_order() {
        let labels = Difference::ALL.map(|difference| difference.to_string());
        assert_eq!(labels, ["On/off state", "Off variant", "Targeting rules"]);
        assert_eq!(serde_json::to_string(&Difference::ALL).unwrap(), serde_json::to_string(&labels).unwrap());
    }
}
