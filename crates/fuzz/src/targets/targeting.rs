//! Rules, user and time made from the input, so that every input is a case: see [`Case::check`].

use arbitrary::{Result, Unstructured};
use flagservice_rules::{AttributeValue, Value};
use flagservice_rules::{
    Condition, Instant, Key, Operator, Percentage, Rule, RuleAudience, Ruleset, RulesetAudience, RulesetFeature, Split,
    Targeting, User,
};

use crate::case::Case;

const KEYS: [&str; 5] = ["on", "off", "red", "a.b", "__"];
const ATTRIBUTES: [&str; 8] = [
    "country",
    "age",
    "flagservice.user.id",
    "flagservice.date",
    "flagservice.hourofday",
    "flagservice.x",
    "",
    "__proto__",
];
const TEXTS: [&str; 16] = [
    "",
    "a",
    "SE",
    "Åland",
    "𝄞",
    "x\ny",
    "2026-11-21",
    "2026-11-21T10:00:00+02:00",
    "9999-12-31",
    "-009999-01-01",
    "2026-06-30T23:59:60Z",
    "^a",
    "[0-9]{2}",
    "(?i)ZO|\\p{L}$",
    "(",
    "1",
];
const NUMBERS: [f64; 12] =
    [-1.5, -0.0, 0.0, 0.1, 1.0, 23.0, 41.0, 1e21, 5e-324, f64::MAX, 9_007_199_254_740_993.0, -9_007_199_254_740_992.0];
const SALTS: [&str; 3] = ["1", "", "é:"];
const MAX_LIST: usize = 4;
const ALL: u32 = 100_000;

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    if let Some(case) = case(data) {
        case.check();
    }
}

/// The case that the input makes; `None` only if a key is invalid.
pub fn case(data: &[u8]) -> Option<Case> {
    let mut input = Unstructured::new(data);
    make(&mut input).ok()
}

fn make(input: &mut Unstructured<'_>) -> Result<Case> {
    let user = User { id: text(input)?, attributes: list(input, attribute)?.into_iter().collect() };
    let now = Instant(time(input)?);
    let audiences = list(input, audience)?;
    let features = list(input, |input| {
        let targeting = Targeting { enabled: input.ratio(7, 8)?, off_variant: key(input)?, rules: list(input, rule)? };
        Ok(RulesetFeature { key: key(input)?, salt: (*input.choose(&SALTS)?).to_owned(), targeting, experiment: None })
    })?;
    Ok(Case { ruleset: Ruleset { features, audiences }, user, now })
}

fn list<T>(input: &mut Unstructured<'_>, item: impl Fn(&mut Unstructured<'_>) -> Result<T>) -> Result<Vec<T>> {
    let length = input.int_in_range(0..=MAX_LIST)?;
    (0..length).map(|_| item(input)).collect()
}

fn key(input: &mut Unstructured<'_>) -> Result<Key> {
    let text = *input.choose(&KEYS)?;
    Key::parse(text).or_else(|_| Key::parse("k")).map_err(|_| arbitrary::Error::IncorrectFormat)
}

fn text(input: &mut Unstructured<'_>) -> Result<String> {
    Ok(if input.ratio(1, 3)? { input.arbitrary::<&str>()?.to_owned() } else { (*input.choose(&TEXTS)?).to_owned() })
}

fn number(input: &mut Unstructured<'_>) -> Result<f64> {
    let number = if input.ratio(1, 3)? { input.arbitrary()? } else { *input.choose(&NUMBERS)? };
    // JSON has only finite numbers.
    Ok(if f64::is_finite(number) { number } else { 0.0 })
}

/// A time of this century, or at the end of the range of JavaScript's `Date`.
fn time(input: &mut Unstructured<'_>) -> Result<i64> {
    if input.ratio(1, 8)? {
        return input.int_in_range(-8_640_000_000_000_000..=8_640_000_000_000_000);
    }
    input.int_in_range(1_700_000_000_000..=1_900_000_000_000)
}

fn value(input: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match input.int_in_range(0..=2)? {
        0 => Value::Number(number(input)?),
        1 => Value::Boolean(input.arbitrary()?),
        _ => Value::Text(text(input)?),
    })
}

fn attribute(input: &mut Unstructured<'_>) -> Result<(String, AttributeValue)> {
    let name = (*input.choose(&ATTRIBUTES)?).to_owned();
    let many = input.ratio(1, 3)?;
    Ok((name, if many { AttributeValue::Many(list(input, value)?) } else { AttributeValue::One(value(input)?) }))
}

fn condition(input: &mut Unstructured<'_>) -> Result<Condition> {
    let attribute = (*input.choose(&ATTRIBUTES)?).to_owned();
    let operator = if input.ratio(1, 32)? { text(input)?.into() } else { input.choose(&Operator::ALL)?.clone() };
    Ok(Condition { attribute, operator, values: list(input, value)? })
}

fn audience(input: &mut Unstructured<'_>) -> Result<RulesetAudience> {
    Ok(RulesetAudience { key: key(input)?, conditions: list(input, condition)? })
}

fn rule(input: &mut Unstructured<'_>) -> Result<Rule> {
    let name = text(input)?;
    let audience = match input.ratio(1, 4)? {
        true => RuleAudience::Saved(key(input)?),
        false => RuleAudience::Inline(list(input, condition)?),
    };
    let keys = list(input, key)?;
    let mut remaining = ALL;
    let mut splits = Vec::new();
    for (index, variant) in keys.iter().enumerate() {
        let is_last = index + 1 == keys.len();
        let share = if is_last { remaining } else { input.int_in_range(0..=remaining)? };
        remaining -= share;
        let percentage = Percentage::from_thousandths(share).unwrap_or(Percentage::HUNDRED);
        splits.push(Split { variant: variant.clone(), percentage });
    }
    Ok(Rule { name, audience, splits })
}
