//! A text, a number or true/false: what conditions and attributes hold.

use crate::date::Date;
use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One value; in JSON the plain text, number or boolean.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number, with the precision that JavaScript has.
    Number(f64),
    /// True or false.
    Flag(bool),
}

/// A value under another name: the macro of OpenAPI schemas takes whatever is called `Value` for any JSON.
#[cfg(feature = "openapi")]
pub(crate) type ConditionValue = Value;

/// A value that somebody else owns, so that comparing one does not copy it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Given<'a> {
    Text(&'a str),
    Number(f64),
    Flag(bool),
}

impl<'a> From<&'a Value> for Given<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Text(text) => Self::Text(text),
            Value::Number(number) => Self::Number(*number),
            Value::Flag(flag) => Self::Flag(*flag),
        }
    }
}

impl<'a> Given<'a> {
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Flag(_) => None,
        }
    }

    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Text(_) | Self::Flag(_) => None,
        }
    }

    /// The date that a text names; numbers are no dates.
    pub(crate) fn date(self) -> Option<Date> {
        self.text().and_then(Date::parse)
    }
}

/// From here on not every whole number has a number of its own.
const WHOLE_NUMBERS_END: f64 = 9_007_199_254_740_992.0;

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            // 18 rather than 18.0, as it was written.
            Self::Number(number) if number.fract() == 0.0 && number.abs() < WHOLE_NUMBERS_END => {
                serializer.serialize_i64(*number as i64)
            }
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
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
        f.write_str("a text, a number, true or false")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
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
