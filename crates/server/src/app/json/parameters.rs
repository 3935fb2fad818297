//! Query parameters as a structure. Each value is a string, whatever the structure makes of it.

use std::borrow::Cow;
use std::convert::Infallible;

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use crate::app::json::refusal::Refusal;

type Invalid = Refusal<Infallible>;

/// Reads the parameters of a query such as `limit=10&search=new`.
///
/// # Errors
/// A sentence that names the first invalid parameter and what to send.
pub fn parse_query<T: DeserializeOwned>(query: &str) -> Result<T, String> {
    let pairs = form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (Parameter(name), Parameter(value)));
    serde_path_to_error::deserialize(MapDeserializer::<_, Invalid>::new(pairs)).map_err(|error| {
        let name = error.path().to_string();
        match error.inner() {
            reason if name == "." => format!("The query is invalid: {reason}."),
            reason => format!("The query parameter `{name}` is invalid: {reason}."),
        }
    })
}

/// The name or the value of a parameter.
struct Parameter<'a>(Cow<'a, str>);

impl<'de> IntoDeserializer<'de, Invalid> for Parameter<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Parameter<'de> {
    type Error = Invalid;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Invalid> {
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Invalid> {
        match &*self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Invalid::custom("send true or false")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Invalid> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Invalid> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Invalid> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::parse_query;
    use crate::domain::feature::Lifecycle;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase")]
    struct Query {
        source: String,
        lifecycle: Option<Lifecycle>,
        #[serde(default)]
        all: bool,
    }

    #[test]
    fn parameters_are_decoded_and_unknown_ones_ignored() {
        let query: Query = parse_query("source=a+b%26c&lifecycle=Draft&all=true&more=1").unwrap();
        assert_eq!(query, Query { source: "a b&c".to_owned(), lifecycle: Some(Lifecycle::Draft), all: true });
    }

    #[test]
    fn an_invalid_parameter_is_named_with_what_to_send() {
        for (text, expected) in [
            ("", "The query is invalid: the field `source` is missing: add it."),
            (
                "source=a&lifecycle=Old",
                "The query parameter `lifecycle` is invalid: `Old` is none of `Draft`, `Active`, `Archived`.",
            ),
            ("source=a&all=yes", "The query parameter `all` is invalid: send true or false."),
            ("source=a&source=b", "The query is invalid: the field `source` is given twice: remove one."),
        ] {
            assert_eq!(parse_query::<Query>(text).unwrap_err(), expected);
        }
    }
}
