//! Single edits of a target. Each changes its structure.

use crate::environment::{Environment, condition, key, name, variant};
use crate::random::Random;
use flagservice_rules::{Condition, Difference, Operator, Percentage, Rule, RuleAudience, Split, Value};

/// One edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edit {
    Enabled,
    OffVariant,
    Rules(RuleEdit),
    Splits(SplitEdit),
    Conditions(ConditionEdit),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RuleEdit {
    Order,
    Removed,
    Added,
    AudienceUnknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SplitEdit {
    Order,
    Share,
    Variant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConditionEdit {
    Order,
    Removed,
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
        Self::Rules(RuleEdit::Order),
        Self::Rules(RuleEdit::Removed),
        Self::Rules(RuleEdit::Added),
        Self::Rules(RuleEdit::AudienceUnknown),
        Self::Splits(SplitEdit::Order),
        Self::Splits(SplitEdit::Share),
        Self::Splits(SplitEdit::Variant),
        Self::Conditions(ConditionEdit::Order),
        Self::Conditions(ConditionEdit::Removed),
        Self::Conditions(ConditionEdit::Added),
        Self::Conditions(ConditionEdit::Attribute),
        Self::Conditions(ConditionEdit::Operator),
        Self::Conditions(ConditionEdit::OtherValue),
        Self::Conditions(ConditionEdit::ValueType),
        Self::Conditions(ConditionEdit::ValueAdded),
    ];

    /// The difference that it causes.
    pub(crate) fn difference(self) -> Difference {
        match self {
            Self::Enabled => Difference::OnOffState,
            Self::OffVariant => Difference::OffVariant,
            Self::Rules(_) | Self::Splits(_) | Self::Conditions(_) => Difference::TargetingRules,
        }
    }

    /// Applies the edit at a random position. Returns false if it changes nothing there.
    pub(crate) fn apply(self, target: &mut Environment, random: &mut Random) -> bool {
        let before = target.structure();
        self.attempt(target, random);
        target.structure() != before
    }

    fn attempt(self, target: &mut Environment, random: &mut Random) {
        match self {
            Self::Enabled => target.targeting.enabled = !target.targeting.enabled,
            Self::OffVariant => target.targeting.off_variant = variant(random),
            Self::Rules(_) | Self::Splits(_) | Self::Conditions(_) if target.targeting.rules.is_empty() => {}
            Self::Rules(edit) => edit.attempt(target, random),
            Self::Splits(edit) => {
                let index = random.below(target.targeting.rules.len());
                edit.attempt(&mut target.targeting.rules[index].splits, random);
            }
            Self::Conditions(edit) => {
                let index = random.below(target.targeting.rules.len());
                if let Some(mut conditions) = target.conditions(&target.targeting.rules[index]) {
                    edit.attempt(&mut conditions, random);
                    target.targeting.rules[index].audience = RuleAudience::Inline(conditions);
                    if random.chance(50) {
                        target.save(index);
                    }
                }
            }
        }
    }
}

impl RuleEdit {
    fn attempt(self, target: &mut Environment, random: &mut Random) {
        let rules = &mut target.targeting.rules;
        let index = random.below(rules.len());
        match self {
            Self::Order => rules.swap(0, index),
            Self::Removed => drop(rules.remove(index)),
            Self::Added => {
                let audience = RuleAudience::Inline(random.several(0, 1, condition));
                let splits = rules[index].splits.clone();
                rules.insert(random.below(rules.len() + 1), Rule { name: name(random), audience, splits });
            }
            Self::AudienceUnknown => rules[index].audience = RuleAudience::Saved(key("gone")),
        }
    }
}

impl SplitEdit {
    fn attempt(self, splits: &mut [Split], random: &mut Random) {
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

impl ConditionEdit {
    fn attempt(self, conditions: &mut Vec<Condition>, random: &mut Random) {
        if conditions.is_empty() && self != Self::Added {
            return;
        }
        let index = random.below(conditions.len().max(1));
        match self {
            Self::Order => conditions.swap(0, index),
            Self::Removed => drop(conditions.remove(index)),
            Self::Added => conditions.insert(index, condition(random)),
            Self::Attribute => conditions[index].attribute = random.pick(&["country", "plan", "age"]).to_owned(),
            Self::Operator => conditions[index].operator = random.pick(&Operator::ALL),
            Self::OtherValue => match conditions[index].values.first_mut() {
                Some(Value::Text(text)) => text.push(random.pick(&['E', 'o', '1'])),
                Some(Value::Number(number)) => *number += random.pick(&[1.0, 0.25, -9.0]),
                Some(Value::Boolean(boolean)) => *boolean = !*boolean,
                None => {}
            },
            Self::ValueType => {
                if let Some(value) = conditions[index].values.first_mut() {
                    *value = match value {
                        Value::Number(number) => Value::Text(number.to_string()),
                        Value::Text(text) if text == "18" => Value::Number(18.0),
                        Value::Text(_) => Value::Boolean(true),
                        Value::Boolean(boolean) => Value::Text(boolean.to_string()),
                    };
                }
            }
            Self::ValueAdded => {
                // Most operators ignore additional values, so edit those that use them more often.
                let uses_all = [Operator::In, Operator::NotIn].contains(&conditions[index].operator);
                if uses_all || random.chance(10) {
                    conditions[index].values.extend(condition(random).values);
                }
            }
        }
    }
}
