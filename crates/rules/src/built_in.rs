//! The built-in attributes of every user, with the operators and values that they support.

use crate::{Operator, Value};

/// The reserved prefix of built-in attributes. A user's own attributes with this prefix are ignored.
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

const STRING_OPERATORS: &[Operator] = &[
    Operator::Equals,
    Operator::Contains,
    Operator::StartsWith,
    Operator::EndsWith,
    Operator::Matches,
    Operator::In,
    Operator::NotIn,
];

const DATE_OPERATORS: &[Operator] = &[Operator::Before, Operator::After];

const NUMBER_OPERATORS: &[Operator] = &[
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

    /// The operators that it supports.
    pub(crate) fn operators(self) -> &'static [Operator] {
        match self {
            Self::UserId => STRING_OPERATORS,
            Self::Date => DATE_OPERATORS,
            Self::HourOfDay => NUMBER_OPERATORS,
        }
    }

    /// Whether it can be compared with a value of this type.
    pub(crate) fn supports(self, value: &Value) -> bool {
        match self {
            Self::UserId | Self::Date => matches!(value, Value::Text(_)),
            Self::HourOfDay => matches!(value, Value::Number(_)),
        }
    }

    /// The values that it can be compared with, for messages.
    pub(crate) fn supported_values(self) -> &'static str {
        match self {
            Self::UserId => "strings, such as \"alice\"",
            Self::Date => "dates, such as \"2026-11-21\"",
            Self::HourOfDay => "numbers from 0 to 23",
        }
    }
}
