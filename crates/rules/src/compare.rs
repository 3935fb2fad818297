//! Whether two environments treat a feature alike: by structure, whatever rules are called and wherever a list of
//! conditions is kept.
//!
//! Nothing is interpreted: lists are compared in their order and values as they are written. Equal therefore means that
//! no user, at no time, tells the two sides apart; different does not mean that somebody does.
//! `docs/decisions/0011-comparison.md` says why.

use crate::{Audiences, Condition, Key, Rule, RuleAudience, Targeting};
use core::fmt;
use serde::{Serialize, Serializer};

/// A feature's targeting in one environment, with the saved audiences that its rules can name there.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// What the feature does there.
    pub targeting: &'a Targeting,
    /// The audiences of that environment.
    pub audiences: &'a dyn Audiences,
}

/// A part in which two sides differ; shown and in JSON by the specification's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Targeting is on on one side only.
    OnOffState,
    /// The variant served while targeting is off, and when no rule matches.
    OffVariant,
    /// The rules, whether targeting is on or off.
    TargetingRules,
}

impl Difference {
    /// All of them, in the order in which they are named.
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

/// The parts in which the sides differ, in the order of [`Difference::ALL`]; none: they are identical.
pub fn compare(source: Side<'_>, target: Side<'_>) -> Vec<Difference> {
    let differs = |difference: &Difference| match difference {
        Difference::OnOffState => source.targeting.enabled != target.targeting.enabled,
        Difference::OffVariant => source.targeting.off_variant != target.targeting.off_variant,
        Difference::TargetingRules => !same_rules(source, target),
    };
    Difference::ALL.into_iter().filter(differs).collect()
}

fn same_rules(source: Side<'_>, target: Side<'_>) -> bool {
    let (one, other) = (&source.targeting.rules, &target.targeting.rules);
    let same = |(one, other): (&Rule, &Rule)| one.splits == other.splits && whom(one, source) == whom(other, target);
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Whom a rule is for, wherever that is written.
#[derive(PartialEq)]
enum Whom<'a> {
    /// Those for whom all of these hold.
    All(&'a [Condition]),
    /// Nobody, because there is no such audience. Nothing is known of it but its key.
    Unknown(&'a Key),
}

fn whom<'a>(rule: &'a Rule, side: Side<'a>) -> Whom<'a> {
    match &rule.audience {
        RuleAudience::Inline(conditions) => Whom::All(conditions),
        RuleAudience::Saved(key) => side.audiences.conditions(key).map_or(Whom::Unknown(key), Whom::All),
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
