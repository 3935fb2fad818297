//! An operator with its values, compiled: patterns and dates are parsed.

use crate::date::Date;
use crate::pattern::Pattern;
use crate::value::ValueRef;
use crate::{Condition, Operator, Value, Violation};

/// A comparison that some values match.
#[derive(Clone, Debug)]
pub(crate) enum Comparison {
    Equals(Value),
    Contains(String),
    StartsWith(String),
    EndsWith(String),
    Matches(Pattern),
    In(Members),
    NotIn(Members),
    Before(Date),
    After(Date),
    GreaterThan(f64),
    GreaterThanOrEqual(f64),
    LessThan(f64),
    LessThanOrEqual(f64),
}

impl Comparison {
    /// Compiles the operator and values of a condition, or returns what is wrong with them.
    pub(crate) fn compile(condition: &Condition) -> Result<Self, Violation> {
        let operands = Operands(condition);
        match &condition.operator {
            Operator::Equals => operands.first().cloned().map(Self::Equals),
            Operator::Contains => operands.text().map(Self::Contains),
            Operator::StartsWith => operands.text().map(Self::StartsWith),
            Operator::EndsWith => operands.text().map(Self::EndsWith),
            Operator::Matches => {
                let pattern = Pattern::compile(&operands.text()?);
                pattern.map(Self::Matches).map_err(|reason| Violation::new(FIRST_VALUE, reason))
            }
            Operator::In => operands.members().map(Self::In),
            Operator::NotIn => operands.members().map(Self::NotIn),
            Operator::Before => operands.date().map(Self::Before),
            Operator::After => operands.date().map(Self::After),
            Operator::GreaterThan => operands.number().map(Self::GreaterThan),
            Operator::GreaterThanOrEqual => operands.number().map(Self::GreaterThanOrEqual),
            Operator::LessThan => operands.number().map(Self::LessThan),
            Operator::LessThanOrEqual => operands.number().map(Self::LessThanOrEqual),
            Operator::Unknown(name) => {
                let known = Operator::ALL.map(|operator| format!("`{operator}`")).join(", ");
                Err(Violation::new("/operator", format!("unknown operator `{name}`; use one of {known}")))
            }
        }
    }

    /// Its pattern, if it has one.
    pub(crate) fn pattern(&self) -> Option<&Pattern> {
        if let Self::Matches(pattern) = self { Some(pattern) } else { None }
    }

    /// Whether a value matches. A value of another type matches only `notIn`.
    pub(crate) fn matches(&self, value: ValueRef<'_>) -> bool {
        match self {
            Self::Equals(operand) => value == operand.into(),
            Self::Contains(part) => value.text().is_some_and(|text| text.contains(part)),
            Self::StartsWith(part) => value.text().is_some_and(|text| text.starts_with(part)),
            Self::EndsWith(part) => value.text().is_some_and(|text| text.ends_with(part)),
            Self::Matches(pattern) => value.text().is_some_and(|text| pattern.found_in(text)),
            Self::In(members) => members.contain(value),
            Self::NotIn(members) => !members.contain(value),
            Self::Before(operand) => value.date().is_some_and(|date| date < *operand),
            Self::After(operand) => value.date().is_some_and(|date| date > *operand),
            Self::GreaterThan(operand) => value.number().is_some_and(|number| number > *operand),
            Self::GreaterThanOrEqual(operand) => value.number().is_some_and(|number| number >= *operand),
            Self::LessThan(operand) => value.number().is_some_and(|number| number < *operand),
            Self::LessThanOrEqual(operand) => value.number().is_some_and(|number| number <= *operand),
        }
    }
}

/// The values of `in` and `notIn`. Strings are sorted, so that long lists of user ids allow binary search.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    texts: Vec<String>,
    others: Vec<Value>,
}

impl Members {
    fn contain(&self, value: ValueRef<'_>) -> bool {
        match value {
            ValueRef::Text(text) => self.texts.binary_search_by(|member| member.as_str().cmp(text)).is_ok(),
            ValueRef::Number(_) | ValueRef::Boolean(_) => self.others.iter().any(|member| value == member.into()),
        }
    }
}

/// Pointer to the value that most operators use.
const FIRST_VALUE: &str = "/values/0";

/// The values of a condition, read as the type that its operator needs.
struct Operands<'a>(&'a Condition);

impl Operands<'_> {
    fn first(&self) -> Result<&Value, Violation> {
        let values = &self.0.values;
        values.first().ok_or_else(|| Violation::new("/values", format!("`{}` needs a value", self.0.operator)))
    }

    fn text(&self) -> Result<String, Violation> {
        match self.first()? {
            Value::Text(text) => Ok(text.clone()),
            Value::Number(_) | Value::Boolean(_) => Err(self.needs("a string, in quotation marks")),
        }
    }

    fn number(&self) -> Result<f64, Violation> {
        match self.first()? {
            Value::Number(number) => Ok(*number),
            Value::Text(_) | Value::Boolean(_) => Err(self.needs("a number, without quotation marks")),
        }
    }

    fn date(&self) -> Result<Date, Violation> {
        let expected = "a date, such as \"2026-11-21\" (midnight UTC) or \"2026-11-21T10:42:01+02:00\"";
        match self.first()? {
            Value::Text(text) => Date::parse(text).ok_or_else(|| self.needs(expected)),
            Value::Number(_) | Value::Boolean(_) => Err(self.needs(expected)),
        }
    }

    fn members(&self) -> Result<Members, Violation> {
        self.first()?;
        let (texts, others): (Vec<_>, Vec<_>) = self.0.values.iter().partition(|value| matches!(value, Value::Text(_)));
        let text = |value: &Value| ValueRef::from(value).text().map(str::to_owned);
        let mut texts: Vec<_> = texts.into_iter().filter_map(text).collect();
        texts.sort_unstable();
        Ok(Members { texts, others: others.into_iter().cloned().collect() })
    }

    fn needs(&self, what: &str) -> Violation {
        Violation::new(FIRST_VALUE, format!("`{}` needs {what}", self.0.operator))
    }
}
