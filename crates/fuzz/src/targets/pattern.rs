//! A regular expression and a text to search, separated by NUL.
//!
//! - What is longer than a pattern may be, or larger when it is compiled, is refused, and with a reason in one line.
//! - A pattern that is accepted takes no more memory than [`MAX_BYTES`].
//! - A second search, and a search by another copy of the pattern, find the same: nothing depends on what a search has cached.
//! - A condition with a refused pattern never matches.
//! - A search of [`LONG`] bytes ends within the time limit of an input.

use std::collections::BTreeMap;

use flagservice_rules::{
    AttributeValue, CompiledFeature, Condition, Instant, Key, Operator, Patterns, Percentage, Rule, RuleAudience,
    Split, Targeting, User, Value, validate_conditions,
};

/// The longest pattern, in bytes, as the guide says.
const MAX_LENGTH: usize = 1024;

/// The most memory of one accepted pattern, in bytes. The limit of 256 KB holds for each of the automata of a pattern: forwards,
/// backwards, and what finds candidates.
const MAX_BYTES: usize = 4 * 256 * 1024;

/// How long the searched text becomes by repetition, in bytes.
const LONG: usize = 16 * 1024;

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (pattern, searched) = text.split_once('\0').unwrap_or((&text, ""));
    let condition = Condition {
        attribute: "a".to_owned(),
        operator: Operator::Matches,
        values: vec![Value::Text(pattern.to_owned())],
    };
    let violations = validate_conditions(std::slice::from_ref(&condition));
    let is_valid = violations.is_empty();
    for violation in &violations {
        assert!(!violation.detail.is_empty() && !violation.detail.contains('\n'), "{violation:?}");
        assert_eq!(violation.pointer, "/0/values/0");
    }
    assert!(!is_valid || pattern.len() <= MAX_LENGTH, "a pattern of {} bytes is accepted", pattern.len());
    let bytes = Patterns::compile([pattern]).bytes();
    assert!(!is_valid || bytes <= MAX_BYTES, "an accepted pattern takes {bytes} bytes");
    let Some(feature) = feature(condition) else { return };
    let found = found_in(&feature, searched);
    assert_eq!(found_in(&feature, searched), found, "a second search");
    assert!(is_valid || !found, "a refused pattern has matched");
    let long = searched.repeat(LONG / searched.len().max(1));
    found_in(&feature, &long);
    assert_eq!(found_in(&feature, searched), found, "a search after a long text");
}

/// A feature that serves `on` where the condition matches, and `off` otherwise.
fn feature(condition: Condition) -> Option<CompiledFeature> {
    let [key, on, off] = ["f", "on", "off"].map(|key| Key::parse(key).ok());
    let splits = vec![Split { variant: on?, percentage: Percentage::HUNDRED }];
    let rule = Rule { name: String::new(), audience: RuleAudience::Inline(vec![condition]), splits };
    let targeting = Targeting { enabled: true, off_variant: off?, rules: vec![rule] };
    Some(CompiledFeature::compile(&key?, "1", &targeting, &BTreeMap::<Key, Vec<Condition>>::new()))
}

fn found_in(feature: &CompiledFeature, text: &str) -> bool {
    let value = AttributeValue::One(Value::Text(text.to_owned()));
    let user = User { id: String::new(), attributes: [("a".to_owned(), value)].into() };
    feature.variant(&user, Instant(0)).as_str() == "on"
}
