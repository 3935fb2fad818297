//! Single edits of a target, each of which makes another structure.

use crate::environment::{Environment, condition, key, name, variant};
use crate::random::Random;
use flagservice_rules::{Condition, Difference, Operator, Percentage, Rule, RuleAudience, Split, Value};

/// One edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edit {
    Enabled,
    OffVariant,
    Rules(OfRules),
    Splits(OfSplits),
    Conditions(OfConditions),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OfRules {
    Order,
    Gone,
    Added,
    AudienceUnknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OfSplits {
    Order,
    Share,
    Variant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OfConditions {
    Order,
    Gone,
    Added,
    Attribute,
    Operator,
    OtherValue,
    ValueType,
    ValueAdded,
}

impl Edit {
    pub(crate) const ALL: [Self; 17] = [
        Self::Enabled,
        Self::OffVariant,
        Self::Rules(OfRules::Order),
        Self::Rules(OfRules::Gone),
        Self::Rules(OfRules::Added),
        Self::Rules(OfRules::AudienceUnknown),
        Self::Splits(OfSplits::Order),
        Self::Splits(OfSplits::Share),
        Self::Splits(OfSplits::Variant),
        Self::Conditions(OfConditions::Order),
        Self::Conditions(OfConditions::Gone),
        Self::Conditions(OfConditions::Added),
        Self::Conditions(OfConditions::Attribute),
        Self::Conditions(OfConditions::Operator),
        Self::Conditions(OfConditions::OtherValue),
        Self::Conditions(OfConditions::ValueType),
        Self::Conditions(OfConditions::ValueAdded),
    ];

    /// The one difference that it makes.
    pub(crate) fn difference(self) -> Difference {
        match self {
            Self::Enabled => Difference::OnOffState,
            Self::OffVariant => Difference::OffVariant,
            Self::Rules(_) | Self::Splits(_) | Self::Conditions(_) => Difference::TargetingRules,
        }
    }

    /// Makes the edit at a random place; false when there it changes nothing.
    pub(crate) fn make(self, target: &mut Environment, random: &mut Random) -> bool {
        let before = target.structure();
        self.try_to(target, random);
        target.structure() != before
    }

    fn try_to(self, target: &mut Environment, random: &mut Random) {
        match self {
            Self::Enabled => target.targeting.enabled = !target.targeting.enabled,
            Self::OffVariant => target.targeting.off_variant = variant(random),
            Self::Rules(_) | Self::Splits(_) | Self::Conditions(_) if target.targeting.rules.is_empty() => {}
            Self::Rules(edit) => edit.try_to(target, random),
            Self::Splits(edit) => {
                let place = random.below(target.targeting.rules.len());
                edit.try_to(&mut target.targeting.rules[place].splits, random);
            }
            Self::Conditions(edit) => {
                let place = random.below(target.targeting.rules.len());
                if let Some(mut conditions) = target.conditions(&target.targeting.rules[place]) {
                    edit.try_to(&mut conditions, random);
                    target.targeting.rules[place].audience = RuleAudience::Inline(conditions);
                    if random.chance(50) {
                        target.save(place);
                    }
                }
            }
        }
    }
}

impl OfRules {
    fn try_to(self, target: &mut Environment, random: &mut Random) {
        let rules = &mut target.targeting.rules;
        let place = random.below(rules.len());
        match self {
            Self::Order => rules.swap(0, place),
            Self::Gone => drop(rules.remove(place)),
            Self::Added => {
                let audience = RuleAudience::Inline(random.several(0, 1, condition));
                let splits = rules[place].splits.clone();
                rules.insert(random.below(rules.len() + 1), Rule { name: name(random), audience, splits });
            }
            Self::AudienceUnknown => rules[place].audience = RuleAudience::Saved(key("gone")),
        }
    }
}

impl OfSplits {
    fn try_to(self, splits: &mut [Split], random: &mut Random) {
        let last = splits.len() - 1;
        match self {
            // Two splits of a rule never have one variant.
            Self::Order => splits.swap(0, last),
            Self::Share if last == 0 => {}
            Self::Share => {
                let both = splits[0].percentage.thousandths() + splits[last].percentage.thousandths();
                let first = random.below(both as usize + 1) as u32;
                splits[0].percentage = Percentage::from_thousandths(first).unwrap();
                splits[last].percentage = Percentage::from_thousandths(both - first).unwrap();
            }
            Self::Variant => {
                let other = variant(random);
                if splits.iter().all(|split| split.variant != other) {
                    splits[0].variant = other;
                }
            }
        }
    }
}

impl OfConditions {
    fn try_to(self, conditions: &mut Vec<Condition>, random: &mut Random) {
        if conditions.is_empty() && self != Self::Added {
            return;
        }
        let place = random.below(conditions.len().max(1));
        match self {
            Self::Order => conditions.swap(0, place),
            Self::Gone => drop(conditions.remove(place)),
            Self::Added => conditions.insert(place, condition(random)),
            Self::Attribute => conditions[place].attribute = random.pick(&["country", "plan", "age"]).to_owned(),
            Self::Operator => conditions[place].operator = random.pick(&Operator::ALL),
            Self::OtherValue => match conditions[place].values.first_mut() {
                Some(Value::Text(text)) => text.push(random.pick(&['E', 'o', '1'])),
                Some(Value::Number(number)) => *number += random.pick(&[1.0, 0.25, -9.0]),
                Some(Value::Flag(flag)) => *flag = !*flag,
                None => {}
            },
            Self::ValueType => {
                if let Some(value) = conditions[place].values.first_mut() {
                    *value = match value {
                        Value::Number(number) => Value::Text(number.to_string()),
                        Value::Text(text) if text == "18" => Value::Number(18.0),
                        Value::Text(_) => Value::Flag(true),
                        Value::Flag(flag) => Value::Text(flag.to_string()),
                    };
                }
            }
            Self::ValueAdded => {
                // Most operators ignore it; those that do not are to have their turn often enough.
                let lists = [Operator::In, Operator::NotIn].contains(&conditions[place].operator);
                if lists || random.chance(10) {
                    let another = condition(random);
                    conditions[place].values.extend(another.values);
                }
            }
        }
    }
}
