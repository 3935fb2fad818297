//! Arbitrary users and rules for property tests: realistic, unusual and invalid ones.
#![expect(clippy::expect_used, reason = "an invalid key should fail the test")]

use flagservice_rules::{
    AttributeValue, Condition, Key, Operator, Percentage, Rule, RuleAudience, Split, Targeting, User, Value,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// Parses a valid key.
pub(crate) fn key(text: &str) -> Key {
    Key::parse(text).expect("the key is valid")
}

/// Splits of `v0`, `v1`, … with these thousandths of a percent.
pub(crate) fn splits(thousandths: &[u32]) -> Vec<Split> {
    let split = |(index, share): (usize, &u32)| Split {
        variant: key(&format!("v{index}")),
        percentage: Percentage::from_thousandths(*share).expect("the percentage is valid"),
    };
    thousandths.iter().enumerate().map(split).collect()
}

/// Targeting that is on, with the off variant `off` and these rules.
pub(crate) fn targeting(rules: Vec<Rule>) -> Targeting {
    Targeting { enabled: true, off_variant: key("off"), rules }
}

/// A rule without a name.
pub(crate) fn rule(conditions: Vec<Condition>, splits: Vec<Split>) -> Rule {
    Rule { name: String::new(), audience: RuleAudience::Inline(conditions), splits }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-c]{0,3}",
        Just("2026-11-21".to_owned()),
        "[0-9]{4}-[01][0-9]-[0-3][0-9]",
        "2026-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,10})?)?(Z|[+-][0-2][0-9]:[0-5][0-9])?",
        Just("[a-b]+$".to_owned()),
        Just("(".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let numbers = prop_oneof![any::<f64>(), (-3_i8..30).prop_map(f64::from), Just(f64::NAN), Just(f64::INFINITY)];
    prop_oneof![text().prop_map(Value::Text), numbers.prop_map(Value::Number), any::<bool>().prop_map(Value::Boolean)]
}

fn operator() -> impl Strategy<Value = Operator> {
    prop_oneof![12 => prop::sample::select(Operator::ALL.to_vec()), 1 => text().prop_map(Operator::from)]
}

fn attribute() -> impl Strategy<Value = String> {
    let names = ["a", "b", "flagservice.user.id", "flagservice.date", "flagservice.hourofday", "flagservice.x", ""];
    prop::sample::select(names.map(str::to_owned).to_vec())
}

/// Any condition, valid or not.
pub(crate) fn condition() -> impl Strategy<Value = Condition> {
    (attribute(), operator(), vec(value(), 0..4)).prop_map(|(attribute, operator, values)| Condition {
        attribute,
        operator,
        values,
    })
}

/// Any user.
pub(crate) fn user() -> impl Strategy<Value = User> {
    let many = vec(value(), 0..3).prop_map(AttributeValue::Many);
    let attribute_value = prop_oneof![3 => value().prop_map(AttributeValue::One), 1 => many];
    (text(), btree_map(attribute(), attribute_value, 0..5)).prop_map(|(id, attributes)| User { id, attributes })
}

/// A user with only an id.
pub(crate) fn user_without_attributes() -> impl Strategy<Value = User> {
    any::<u32>().prop_map(|number| User { id: format!("user-{number}"), ..User::default() })
}
