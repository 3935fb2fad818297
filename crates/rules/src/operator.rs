//! How a condition compares.

use core::fmt;
use serde::{Deserialize, Serialize, Serializer};

/// The operators of conditions; in JSON their names in camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Operator {
    /// The same type and the same value.
    Equals,
    /// A text that holds the given text.
    Contains,
    /// A text that begins with the given text.
    StartsWith,
    /// A text that ends with the given text.
    EndsWith,
    /// A text in which the given regular expression is found.
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
    /// A larger number or the same.
    GreaterThanOrEqual,
    /// A smaller number.
    LessThan,
    /// A smaller number or the same.
    LessThanOrEqual,
    /// A name that this release does not know: it never matches, and [`crate::validate`] refuses it. Kept, so that
    /// rules written by a newer release are neither refused nor changed by reading them.
    Unknown(String),
}

impl Operator {
    /// The operators that there are.
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
        Self::ALL.into_iter().find(|operator| operator.as_str() == name).unwrap_or(Self::Unknown(name))
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
