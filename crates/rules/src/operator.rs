//! The operators of conditions.

use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An operator of a condition. In JSON its name is in camelCase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The same type and the same value.
    Equals,
    /// A string that contains the given one.
    Contains,
    /// A string that starts with the given one.
    StartsWith,
    /// A string that ends with the given one.
    EndsWith,
    /// A string in which the given regular expression is found.
    Matches,
    /// Equal to one of the given values.
    In,
    /// Equal to none of the given values.
    NotIn,
    /// A date earlier than the given one.
    Before,
    /// A date later than the given one.
    After,
    /// A larger number.
    GreaterThan,
    /// The same or a larger number.
    GreaterThanOrEqual,
    /// A smaller number.
    LessThan,
    /// The same or a smaller number.
    LessThanOrEqual,
    /// An operator that this release does not know. It never matches, and [`crate::validate`] rejects it. The name is
    /// stored, so that rules from a newer release can be read without errors or changes.
    Unknown(String),
}

impl Operator {
    /// All known operators.
    pub const ALL: [Self; 13] = [
        Self::Equals,
        Self::Contains,
        Self::StartsWith,
        Self::EndsWith,
        Self::Matches,
        Self::In,
        Self::NotIn,
        Self::Before,
        Self::After,
        Self::GreaterThan,
        Self::GreaterThanOrEqual,
        Self::LessThan,
        Self::LessThanOrEqual,
    ];

    /// The operator with this name, if it is known.
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "equals" => Self::Equals,
            "contains" => Self::Contains,
            "startsWith" => Self::StartsWith,
            "endsWith" => Self::EndsWith,
            "matches" => Self::Matches,
            "in" => Self::In,
            "notIn" => Self::NotIn,
            "before" => Self::Before,
            "after" => Self::After,
            "greaterThan" => Self::GreaterThan,
            "greaterThanOrEqual" => Self::GreaterThanOrEqual,
            "lessThan" => Self::LessThan,
            "lessThanOrEqual" => Self::LessThanOrEqual,
            _ => return None,
        })
    }

    /// The name in JSON.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Equals => "equals",
            Self::Contains => "contains",
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Matches => "matches",
            Self::In => "in",
            Self::NotIn => "notIn",
            Self::Before => "before",
            Self::After => "after",
            Self::GreaterThan => "greaterThan",
            Self::GreaterThanOrEqual => "greaterThanOrEqual",
            Self::LessThan => "lessThan",
            Self::LessThanOrEqual => "lessThanOrEqual",
            Self::Unknown(name) => name,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<String> for Operator {
    fn from(name: String) -> Self {
        Self::from_name(&name).unwrap_or(Self::Unknown(name))
    }
}

impl From<Operator> for String {
    fn from(operator: Operator) -> Self {
        operator.as_str().to_owned()
    }
}

impl Serialize for Operator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Operator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OperatorVisitor)
    }
}

/// Deserialises a name without copying it: there is one in each condition.
struct OperatorVisitor;

impl Visitor<'_> for OperatorVisitor {
    type Value = Operator;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an operator")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Operator, E> {
        Ok(Operator::from_name(name).unwrap_or_else(|| Operator::Unknown(name.to_owned())))
    }
}
