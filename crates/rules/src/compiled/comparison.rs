//! An operator with what it compares to, made ready: patterns compiled, dates read.

use crate::date::Date;
use crate::pattern::Pattern;
use crate::value::Given;
use crate::{Condition, Invalid, Operator, Value};

/// A comparison that some value can pass.
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
    /// Compiles the operator and values of a condition, or says what is wrong with them.
    pub(crate) fn compile(condition: &Condition) -> Result<Self, Invalid> {
        let condition = Operands(condition);
        match &condition.0.operator {
            Operator::Equals => condition.first().cloned().map(Self::Equals),
            Operator::Contains => condition.text().map(Self::Contains),
            Operator::StartsWith => condition.text().map(Self::StartsWith),
            Operator::EndsWith => condition.text().map(Self::EndsWith),
            Operator::Matches => {
                let pattern = Pattern::compile(&condition.text()?);
                pattern.map(Self::Matches).map_err(|reason| Invalid::new(FIRST, reason))
            }
            Operator::In => condition.members().map(Self::In),
            Operator::NotIn => condition.members().map(Self::NotIn),
            Operator::Before => condition.date().map(Self::Before),
            Operator::After => condition.date().map(Self::After),
            Operator::GreaterThan => condition.number().map(Self::GreaterThan),
            Operator::GreaterThanOrEqual => condition.number().map(Self::GreaterThanOrEqual),
            Operator::LessThan => condition.number().map(Self::LessThan),
            Operator::LessThanOrEqual => condition.number().map(Self::LessThanOrEqual),
            Operator::Unknown(name) => {
                let known = Operator::ALL.map(|operator| format!("`{operator}`")).join(", ");
                Err(Invalid::new("/operator", format!("there is no operator `{name}`; the operators are {known}")))
            }
        }
    }

    /// Whether a value passes. One of another type never does, except that it is in no list.
    pub(crate) fn holds(&self, given: Given<'_>) -> bool {
        match self {
            Self::Equals(value) => given == value.into(),
            Self::Contains(part) => given.text().is_some_and(|text| text.contains(part)),
            Self::StartsWith(part) => given.text().is_some_and(|text| text.starts_with(part)),
            Self::EndsWith(part) => given.text().is_some_and(|text| text.ends_with(part)),
            Self::Matches(pattern) => given.text().is_some_and(|text| pattern.found_in(text)),
            Self::In(members) => members.contain(given),
            Self::NotIn(members) => !members.contain(given),
            Self::Before(date) => given.date().is_some_and(|given| given < *date),
            Self::After(date) => given.date().is_some_and(|given| given > *date),
            Self::GreaterThan(number) => given.number().is_some_and(|given| given > *number),
            Self::GreaterThanOrEqual(number) => given.number().is_some_and(|given| given >= *number),
            Self::LessThan(number) => given.number().is_some_and(|given| given < *number),
            Self::LessThanOrEqual(number) => given.number().is_some_and(|given| given <= *number),
        }
    }
}

/// The values of `in` and `notIn`. Texts are sorted: a list of thousands of user ids is searched in a dozen steps.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    texts: Vec<String>,
    others: Vec<Value>,
}

impl Members {
    fn contain(&self, given: Given<'_>) -> bool {
        match given {
            Given::Text(text) => self.texts.binary_search_by(|member| member.as_str().cmp(text)).is_ok(),
            Given::Number(_) | Given::Flag(_) => self.others.iter().any(|member| given == member.into()),
        }
    }
}

/// Where the value is that most operators use.
const FIRST: &str = "/values/0";

/// The values of a condition, read as its operator wants them.
struct Operands<'a>(&'a Condition);

impl Operands<'_> {
    fn first(&self) -> Result<&Value, Invalid> {
        self.0.values.first().ok_or_else(|| {
            Invalid::new("/values", format!("`{}` needs a value to compare with; it has none", self.0.operator))
        })
    }

    fn text(&self) -> Result<String, Invalid> {
        match self.first()? {
            Value::Text(text) => Ok(text.clone()),
            Value::Number(_) | Value::Flag(_) => Err(self.wants("a text, in quotation marks")),
        }
    }

    fn number(&self) -> Result<f64, Invalid> {
        match self.first()? {
            Value::Number(number) => Ok(*number),
            Value::Text(_) | Value::Flag(_) => Err(self.wants("a number, without quotation marks")),
        }
    }

    fn date(&self) -> Result<Date, Invalid> {
        let wanted = "a date, such as \"2026-11-21\" (midnight UTC) or \"2026-11-21T10:42:01+02:00\"";
        match self.first()? {
            Value::Text(text) => Date::parse(text).ok_or_else(|| self.wants(wanted)),
            Value::Number(_) | Value::Flag(_) => Err(self.wants(wanted)),
        }
    }

    fn members(&self) -> Result<Members, Invalid> {
        self.first()?;
        let (texts, others): (Vec<_>, Vec<_>) = self.0.values.iter().partition(|value| matches!(value, Value::Text(_)));
        let text = |value: &Value| Given::from(value).text().map(str::to_owned);
        let mut texts: Vec<_> = texts.into_iter().filter_map(text).collect();
        texts.sort_unstable();
        Ok(Members { texts, others: others.into_iter().cloned().collect() })
    }

    fn wants(&self, what: &str) -> Invalid {
        Invalid::new(FIRST, format!("`{}` compares with {what}", self.0.operator))
    }
}
