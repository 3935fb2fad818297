//! The attributes that the service itself gives every user, and what conditions may ask of them.

use crate::{Operator, Value};

/// What the names of built-in attributes begin with; no attribute of a user's own is looked up under such a name.
pub(crate) const PREFIX: &str = "flagservice.";

/// A built-in attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    /// The user's id.
    UserId,
    /// The instant of the evaluation.
    Date,
    /// Its hour in UTC, 0 to 23.
    HourOfDay,
}

const FOR_TEXT: &[Operator] = &[
    Operator::Equals,
    Operator::Contains,
    Operator::StartsWith,
    Operator::EndsWith,
    Operator::Matches,
    Operator::In,
    Operator::NotIn,
];

const FOR_DATES: &[Operator] = &[Operator::Before, Operator::After];

const FOR_NUMBERS: &[Operator] = &[
    Operator::Equals,
    Operator::In,
    Operator::NotIn,
    Operator::GreaterThan,
    Operator::GreaterThanOrEqual,
    Operator::LessThan,
    Operator::LessThanOrEqual,
];

impl BuiltIn {
    pub(crate) const ALL: [Self; 3] = [Self::UserId, Self::Date, Self::HourOfDay];

    /// The name that conditions use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::UserId => "flagservice.user.id",
            Self::Date => "flagservice.date",
            Self::HourOfDay => "flagservice.hourofday",
        }
    }

    /// The operators that suit it.
    pub(crate) fn operators(self) -> &'static [Operator] {
        match self {
            Self::UserId => FOR_TEXT,
            Self::Date => FOR_DATES,
            Self::HourOfDay => FOR_NUMBERS,
        }
    }

    /// Whether it can be compared with this value at all.
    pub(crate) fn compares_with(self, value: &Value) -> bool {
        match self {
            Self::UserId | Self::Date => matches!(value, Value::Text(_)),
            Self::HourOfDay => matches!(value, Value::Number(_)),
        }
    }

    /// What it is compared with, for a message.
    pub(crate) fn operands(self) -> &'static str {
        match self {
            Self::UserId => "texts, such as \"alice\"",
            Self::Date => "dates, such as \"2026-11-21\"",
            Self::HourOfDay => "numbers from 0 to 23",
        }
    }
}
