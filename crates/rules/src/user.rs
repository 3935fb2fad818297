//! The user for whom features are evaluated.

use crate::Value;
use crate::value::ValueRef;
use core::fmt;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// A user: an id, and attributes for conditions.
///
/// Deserialisation is lenient, because users come from pages. It ignores unknown fields, and attributes and list elements
/// with an unsupported value: null, an object, a nested list or a number that is not finite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// Identifies the user and determines their position in splits.
    pub id: String,
    /// The attributes by name.
    #[serde(default, deserialize_with = "attributes")]
    pub attributes: BTreeMap<String, AttributeValue>,
}

/// Up to this many attributes, a linear search is faster than the map's: comparing lengths first saves string comparisons.
const MAX_LINEAR_SEARCH: usize = 16;

impl User {
    /// How long the texts are that conditions compare and search, in bytes.
    pub fn text_bytes(&self) -> usize {
        let bytes = |value: &Value| ValueRef::from(value).text().map_or(0, str::len);
        let attributes = self.attributes.values().map(|attribute| match attribute {
            AttributeValue::One(value) => bytes(value),
            AttributeValue::Many(values) => values.iter().map(bytes).sum(),
        });
        self.id.len() + attributes.sum::<usize>()
    }

    /// The attribute with this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        if self.attributes.len() > MAX_LINEAR_SEARCH {
            return self.attributes.get(name);
        }
        self.attributes.iter().find(|(candidate, _)| *candidate == name).map(|(_, value)| value)
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AttributeValue {
    /// A single value.
    One(Value),
    /// A list. It matches if one of its values does.
    Many(Vec<Value>),
}

impl AttributeValue {
    /// Whether one of the values satisfies the predicate.
    pub(crate) fn any(&self, predicate: impl Fn(ValueRef<'_>) -> bool) -> bool {
        match self {
            Self::One(value) => predicate(value.into()),
            Self::Many(values) => values.iter().any(|value| predicate(value.into())),
        }
    }
}

fn attributes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, AttributeValue>, D::Error> {
    deserializer.deserialize_any(AttributesVisitor)
}

struct AttributesVisitor;

impl<'de> Visitor<'de> for AttributesVisitor {
    type Value = BTreeMap<String, AttributeValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`attributes`, an object whose values are strings, numbers, booleans or lists of these")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut attributes = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            match map.next_value::<ParsedValue>()? {
                ParsedValue::Supported(value) => attributes.insert(name, value),
                // The last of two equal names counts, as in JavaScript.
                ParsedValue::Unsupported => attributes.remove(&name),
            };
        }
        Ok(attributes)
    }
}

/// The value of an attribute as read from the input.
enum ParsedValue {
    Supported(AttributeValue),
    Unsupported,
}

impl From<Value> for ParsedValue {
    fn from(value: Value) -> Self {
        // JSON has only finite numbers: a browser sends null for others.
        match value {
            Value::Number(number) if !number.is_finite() => Self::Unsupported,
            Value::Text(_) | Value::Number(_) | Value::Boolean(_) => Self::Supported(AttributeValue::One(value)),
        }
    }
}

impl<'de> Deserialize<'de> for ParsedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParsedValueVisitor { in_list: false })
    }
}

/// An element of a list.
struct Element(ParsedValue);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParsedValueVisitor { in_list: true }).map(Self)
    }
}

struct ParsedValueVisitor {
    /// Nested lists are unsupported, so deep nesting cannot exhaust the stack.
    in_list: bool,
}

impl<'de> Visitor<'de> for ParsedValueVisitor {
    type Value = ParsedValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of an attribute")
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<ParsedValue, E> {
        Ok(Value::Boolean(boolean).into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ParsedValue, E> {
        Ok(Value::Number(number as f64).into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ParsedValue, E> {
        Ok(Value::Number(number as f64).into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<ParsedValue, E> {
        Ok(Value::Number(number).into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ParsedValue, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<ParsedValue, E> {
        Ok(Value::Text(text).into())
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<ParsedValue, E> {
        Ok(ParsedValue::Unsupported)
    }

    fn visit_unit<E: Error>(self) -> Result<ParsedValue, E> {
        Ok(ParsedValue::Unsupported)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ParsedValue, A::Error> {
        if self.in_list {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(ParsedValue::Unsupported);
        }
        let mut values = Vec::new();
        while let Some(Element(parsed)) = list.next_element()? {
            if let ParsedValue::Supported(AttributeValue::One(value)) = parsed {
                values.push(value);
            }
        }
        Ok(ParsedValue::Supported(AttributeValue::Many(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ParsedValue, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(ParsedValue::Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use super::{AttributeValue, MAX_LINEAR_SEARCH, User};
    use crate::Value;

    #[test]
    fn finds_attributes_by_name_among_few_and_many() {
        for count in [0, 1, MAX_LINEAR_SEARCH, MAX_LINEAR_SEARCH + 1, 10 * MAX_LINEAR_SEARCH] {
            let value = |index: usize| AttributeValue::One(Value::Number(index as f64));
            let attributes = (0..count).map(|index| (format!("name-{index}"), value(index))).collect();
            let user = User { id: String::new(), attributes };
            for index in 0..count {
                assert_eq!(user.attribute(&format!("name-{index}")), Some(&value(index)), "{index} of {count}");
            }
            assert_eq!(user.attribute(&format!("name-{count}")), None);
            assert_eq!(user.attribute("name"), None);
        }
    }
}
