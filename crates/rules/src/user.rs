//! The user for whom features are evaluated.

use crate::Value;
use crate::value::Given;
use core::fmt;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// A user: an id, and attributes for conditions to look at.
///
/// Reading is tolerant, because the user comes from a page: fields that nobody knows are ignored, and so are
/// attributes, and elements of lists, without a usable value: null, an object, a list in a list, a number that is not
/// finite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// Identifies the user; decides the place in splits.
    pub id: String,
    /// By name.
    #[serde(default, deserialize_with = "attributes")]
    pub attributes: BTreeMap<String, AttributeValue>,
}

/// So many attributes are found faster one by one, their lengths compared first, than by a search that compares texts.
const FEW: usize = 16;

impl User {
    /// The attribute of that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        if self.attributes.len() > FEW {
            return self.attributes.get(name);
        }
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// What an attribute holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AttributeValue {
    /// A single value.
    One(Value),
    /// A list, which matches when one of its values does.
    Many(Vec<Value>),
}

impl AttributeValue {
    /// Whether `holds` is true of one of the values.
    pub(crate) fn any(&self, holds: impl Fn(Given<'_>) -> bool) -> bool {
        match self {
            Self::One(value) => holds(value.into()),
            Self::Many(values) => values.iter().any(|value| holds(value.into())),
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
        f.write_str("`attributes`, an object whose values are texts, numbers, true, false or lists of these")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut attributes = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            match map.next_value::<Found>()? {
                Found::Usable(value) => attributes.insert(name, value),
                // The last of two equal names counts, as in JavaScript.
                Found::Unusable => attributes.remove(&name),
            };
        }
        Ok(attributes)
    }
}

/// Whatever stands where the value of an attribute belongs.
enum Found {
    Usable(AttributeValue),
    Unusable,
}

impl From<Value> for Found {
    fn from(value: Value) -> Self {
        // JSON has no number that is not finite: a browser sends null for it.
        match value {
            Value::Number(number) if !number.is_finite() => Self::Unusable,
            Value::Text(_) | Value::Number(_) | Value::Flag(_) => Self::Usable(AttributeValue::One(value)),
        }
    }
}

impl<'de> Deserialize<'de> for Found {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FoundVisitor { in_list: false })
    }
}

/// An element of a list.
struct Element(Found);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FoundVisitor { in_list: true }).map(Self)
    }
}

struct FoundVisitor {
    /// Lists do not nest, so that no depth of theirs can exhaust the stack.
    in_list: bool,
}

impl<'de> Visitor<'de> for FoundVisitor {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of an attribute")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Found, E> {
        Ok(Value::Flag(flag).into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Found, E> {
        Ok(Value::Number(number as f64).into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Found, E> {
        Ok(Value::Number(number as f64).into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Found, E> {
        Ok(Value::Number(number).into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Found, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Found, E> {
        Ok(Value::Text(text).into())
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Found, E> {
        Ok(Found::Unusable)
    }

    fn visit_unit<E: Error>(self) -> Result<Found, E> {
        Ok(Found::Unusable)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Found, A::Error> {
        if self.in_list {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Found::Unusable);
        }
        let mut values = Vec::new();
        while let Some(Element(found)) = list.next_element()? {
            if let Found::Usable(AttributeValue::One(value)) = found {
                values.push(value);
            }
        }
        Ok(Found::Usable(AttributeValue::Many(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Found::Unusable)
    }
}

#[cfg(test)]
mod tests {
    use super::{AttributeValue, FEW, User};
    use crate::Value;

    #[test]
    fn an_attribute_is_found_by_its_name_however_many_there_are() {
        for count in [0, 1, FEW, FEW + 1, 10 * FEW] {
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
