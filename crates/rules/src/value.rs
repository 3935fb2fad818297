//! The values of conditions and attributes: strings, numbers and booleans.

use crate::date::Date;
use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One value. In JSON a plain string, number or boolean.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A number, with JavaScript's precision.
    Number(f64),
    /// A boolean.
    Boolean(bool),
}

/// `Value` under another name, because the schema macro treats any type called `Value` as arbitrary JSON.
#[cfg(feature = "openapi")]
pub(crate) type ConditionValue = Value;

/// A borrowed value, which can be compared without a copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ValueRef<'a> {
    Text(&'a str),
    Number(f64),
    Boolean(bool),
}

impl<'a> From<&'a Value> for ValueRef<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Text(text) => Self::Text(text),
            Value::Number(number) => Self::Number(*number),
            Value::Boolean(boolean) => Self::Boolean(*boolean),
        }
    }
}

impl<'a> ValueRef<'a> {
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Boolean(_) => None,
        }
    }

    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Text(_) | Self::Boolean(_) => None,
        }
    }

    /// The date in a string. Numbers are not dates.
    pub(crate) fn date(self) -> Option<Date> {
        self.text().and_then(Date::parse)
    }
}

/// The first number from which floats no longer represent every integer.
const EXACT_INTEGERS_END: f64 = 9_007_199_254_740_992.0;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            // Writes 18 instead of 18.0.
            Self::Number(number) if number.fract() == 0.0 && number.abs() < EXACT_INTEGERS_END => {
                serializer.serialize_i64(*number as i64)
            }
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Boolean(boolean) => serializer.serialize_bool(*boolean),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl Visitor<'_> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a number or a boolean")
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<Value, E> {
        Ok(Value::Boolean(boolean))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }
}
