//! A condition compiled for fast evaluation.

use super::comparison::Comparison;
use crate::built_in::{BuiltIn, PREFIX};
use crate::in_use::InUse;
use crate::pattern::Pattern;
use crate::value::ValueRef;
use crate::{Condition, Instant, Operator, User, Value, Violation};
use std::sync::{Arc, Mutex, PoisonError};

/// A condition that can match.
#[derive(Clone, Debug)]
pub(crate) enum CompiledCondition {
    /// Compares one of the user's attributes.
    Attribute { name: String, comparison: Comparison },
    /// Compares the user's id.
    UserId(Comparison),
    /// Matches until this instant, exclusive.
    Until(Instant),
    /// Matches from this instant on, inclusive.
    From(Instant),
    /// Compares the hour of the day in UTC.
    HourOfDay(Comparison),
}

/// The conditions that something in this process uses, by their JSON.
static IN_USE: Mutex<InUse<CompiledCondition>> = Mutex::new(InUse::new());

/// The longest JSON of a condition that is shared, in bytes: it is kept, too. Long lists of users are rarely those of another rule.
const MAX_SHARED_JSON: usize = 256;

impl CompiledCondition {
    /// Compiles a condition, unless something in this process uses the same one already, or returns what is wrong with it.
    pub(crate) fn shared(condition: &Condition) -> Result<Arc<Self>, Violation> {
        let in_use = || IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        // JSON has only finite numbers.
        let is_finite = |value: &Value| !matches!(value, Value::Number(number) if !number.is_finite());
        let json = condition.values.iter().all(is_finite).then(|| serde_json::to_string(condition).ok()).flatten();
        let json = json.filter(|json| json.len() <= MAX_SHARED_JSON);
        let Some(json) = json else { return Self::compile(condition).map(Arc::new) };
        if let Some(known) = in_use().known(&json) {
            return Ok(known);
        }
        let compiled = Arc::new(Self::compile(condition)?);
        Ok(in_use().keep(&json, compiled))
    }

    /// Compiles a condition, or returns what is wrong with it.
    pub(crate) fn compile(condition: &Condition) -> Result<Self, Violation> {
        let name = condition.attribute.as_str();
        if name.is_empty() {
            return Err(Violation::new("/attribute", "a condition needs an attribute, such as `country`"));
        }
        if !name.starts_with(PREFIX) {
            let comparison = Comparison::compile(condition)?;
            return Ok(Self::Attribute { name: name.to_owned(), comparison });
        }
        let Some(built_in) = BuiltIn::ALL.into_iter().find(|built_in| built_in.name() == name) else {
            let known = quoted(BuiltIn::ALL.map(BuiltIn::name));
            let detail = format!("unknown attribute `{name}`; the attributes that start with `{PREFIX}` are {known}");
            return Err(Violation::new("/attribute", detail));
        };
        let comparison = compile_built_in(built_in, condition)?;
        Ok(match (built_in, comparison) {
            (BuiltIn::Date, Comparison::Before(date)) => Self::Until(Instant(date.first_not_before())),
            (BuiltIn::Date, Comparison::After(date)) => Self::From(Instant(date.first_after())),
            (BuiltIn::UserId, comparison) => Self::UserId(comparison),
            (BuiltIn::HourOfDay, comparison) => Self::HourOfDay(comparison),
            (BuiltIn::Date, _) => return Err(unsupported_operator(built_in)),
        })
    }

    /// Whether it matches the user at this time.
    pub(crate) fn matches(&self, user: &User, now: Instant) -> bool {
        match self {
            Self::Attribute { name, comparison } => {
                user.attribute(name).is_some_and(|attribute| attribute.any(|value| comparison.matches(value)))
            }
            Self::UserId(comparison) => comparison.matches(ValueRef::Text(&user.id)),
            Self::Until(end) => now < *end,
            Self::From(start) => now >= *start,
            Self::HourOfDay(comparison) => matches_hour(comparison, now),
        }
    }

    /// Its pattern, if it has one.
    pub(crate) fn pattern(&self) -> Option<&Pattern> {
        match self {
            Self::Attribute { comparison, .. } | Self::UserId(comparison) | Self::HourOfDay(comparison) => {
                comparison.pattern()
            }
            Self::Until(_) | Self::From(_) => None,
        }
    }

    /// Whether it will never match any user again.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        match self {
            Self::Until(end) => now >= *end,
            Self::Attribute { .. } | Self::UserId(_) | Self::From(_) | Self::HourOfDay(_) => false,
        }
    }

    /// The next instant after `now` at which time changes its result.
    pub(crate) fn next_turn(&self, now: Instant) -> Option<Instant> {
        match self {
            Self::Attribute { .. } | Self::UserId(_) => None,
            Self::Until(turn) | Self::From(turn) => (*turn > now).then_some(*turn),
            Self::HourOfDay(comparison) => {
                let matches_now = matches_hour(comparison, now);
                let mut hours = (1..24).filter_map(|hours| now.hour_after(hours));
                hours.find(|hour| matches_hour(comparison, *hour) != matches_now)
            }
        }
    }
}

/// Compiles a condition on a built-in attribute, which supports fewer operators and values than other attributes.
fn compile_built_in(built_in: BuiltIn, condition: &Condition) -> Result<Comparison, Violation> {
    let comparison = Comparison::compile(condition);
    let known = !matches!(condition.operator, Operator::Unknown(_));
    if known && !built_in.operators().contains(&condition.operator) {
        return Err(unsupported_operator(built_in));
    }
    let used = if matches!(condition.operator, Operator::In | Operator::NotIn) { usize::MAX } else { 1 };
    let mut values = condition.values.iter().take(used);
    if let Some(index) = values.position(|value| !built_in.supports(value)) {
        let detail = format!("`{}` can only be compared with {}", built_in.name(), built_in.supported_values());
        return Err(Violation::new(format!("/values/{index}"), detail));
    }
    comparison
}

fn unsupported_operator(built_in: BuiltIn) -> Violation {
    let operators = quoted(built_in.operators().iter().map(Operator::as_str));
    Violation::new("/operator", format!("`{}` supports only the operators {operators}", built_in.name()))
}

fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn matches_hour(comparison: &Comparison, instant: Instant) -> bool {
    comparison.matches(ValueRef::Number(instant.hour_of_day()))
}
