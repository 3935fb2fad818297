//! A condition made ready for many evaluations.

use super::comparison::Comparison;
use crate::built_in::{BuiltIn, PREFIX};
use crate::value::Given;
use crate::{Condition, Instant, Invalid, Operator, User};

/// A condition that can hold.
#[derive(Clone, Debug)]
pub(crate) enum CompiledCondition {
    /// On an attribute of the user's own.
    Attribute { name: String, comparison: Comparison },
    /// On the user's id.
    UserId(Comparison),
    /// Until this instant, exclusive.
    Until(Instant),
    /// From this instant on.
    From(Instant),
    /// On the hour of the day in UTC.
    HourOfDay(Comparison),
}

impl CompiledCondition {
    /// Compiles a condition, or says what is wrong with it.
    pub(crate) fn compile(condition: &Condition) -> Result<Self, Invalid> {
        let name = condition.attribute.as_str();
        if name.is_empty() {
            return Err(Invalid::new("/attribute", "a condition names an attribute, such as `country`"));
        }
        if !name.starts_with(PREFIX) {
            let comparison = Comparison::compile(condition)?;
            return Ok(Self::Attribute { name: name.to_owned(), comparison });
        }
        let Some(built_in) = BuiltIn::ALL.into_iter().find(|built_in| built_in.name() == name) else {
            let known = quoted(BuiltIn::ALL.map(BuiltIn::name));
            let detail = format!("`{name}` is no attribute: the names that begin with `{PREFIX}` are {known}");
            return Err(Invalid::new("/attribute", detail));
        };
        let comparison = compile_built_in(built_in, condition)?;
        Ok(match (built_in, comparison) {
            (BuiltIn::Date, Comparison::Before(date)) => Self::Until(Instant(date.first_not_before())),
            (BuiltIn::Date, Comparison::After(date)) => Self::From(Instant(date.first_after())),
            (BuiltIn::UserId, comparison) => Self::UserId(comparison),
            (BuiltIn::HourOfDay, comparison) => Self::HourOfDay(comparison),
            (BuiltIn::Date, _) => return Err(unsuited(built_in)),
        })
    }

    /// Whether it holds for the user at this time.
    pub(crate) fn holds(&self, user: &User, now: Instant) -> bool {
        match self {
            Self::Attribute { name, comparison } => {
                user.attribute(name).is_some_and(|attribute| attribute.any(|value| comparison.holds(value)))
            }
            Self::UserId(comparison) => comparison.holds(Given::Text(&user.id)),
            Self::Until(end) => now < *end,
            Self::From(start) => now >= *start,
            Self::HourOfDay(comparison) => holds_in_hour(comparison, now),
        }
    }

    /// Whether it can never hold again, for any user.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        match self {
            Self::Until(end) => now >= *end,
            Self::Attribute { .. } | Self::UserId(_) | Self::From(_) | Self::HourOfDay(_) => false,
        }
    }

    /// The next instant after `now` at which it turns by the passing of time.
    pub(crate) fn next_turn(&self, now: Instant) -> Option<Instant> {
        match self {
            Self::Attribute { .. } | Self::UserId(_) => None,
            Self::Until(turn) | Self::From(turn) => (*turn > now).then_some(*turn),
            Self::HourOfDay(comparison) => {
                let holds = holds_in_hour(comparison, now);
                let mut hours = (1..24).filter_map(|hours| now.hour_after(hours));
                hours.find(|hour| holds_in_hour(comparison, *hour) != holds)
            }
        }
    }
}

/// Compiles a condition on a built-in attribute, whose operators and operands are fewer than those of others.
fn compile_built_in(built_in: BuiltIn, condition: &Condition) -> Result<Comparison, Invalid> {
    let comparison = Comparison::compile(condition);
    let known = !matches!(condition.operator, Operator::Unknown(_));
    if known && !built_in.operators().contains(&condition.operator) {
        return Err(unsuited(built_in));
    }
    let used = if matches!(condition.operator, Operator::In | Operator::NotIn) { usize::MAX } else { 1 };
    let mut values = condition.values.iter().take(used);
    if let Some(place) = values.position(|value| !built_in.compares_with(value)) {
        let detail = format!("`{}` is compared with {}", built_in.name(), built_in.operands());
        return Err(Invalid::new(format!("/values/{place}"), detail));
    }
    comparison
}

fn unsuited(built_in: BuiltIn) -> Invalid {
    let operators = quoted(built_in.operators().iter().map(Operator::as_str));
    Invalid::new("/operator", format!("`{}` takes only the operators {operators}", built_in.name()))
}

fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn holds_in_hour(comparison: &Comparison, instant: Instant) -> bool {
    comparison.holds(Given::Number(instant.hour_of_day()))
}
