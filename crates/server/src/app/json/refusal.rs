//! Why a value is refused, in plain English.

use std::fmt::{self, Debug, Display};

use serde::de::{Error, Expected, Unexpected};

/// Why a value is refused.
#[derive(Debug)]
pub(super) enum Refusal<E> {
    /// It is of another type than this one.
    Type {
        /// What was sent.
        sent: String,
        /// What the type says that it accepts. Types of the standard library say it in words for programmers.
        accepted: String,
    },
    /// Another reason.
    Because(String),
    /// The format's own error, or an earlier refusal that has passed through it.
    Inner(E),
}

impl<E: Error> Refusal<E> {
    /// The refusal as an error of the format. `wanted` is better than the type's own words.
    pub(super) fn pass_on(self, wanted: Option<&'static str>) -> E {
        match (self, wanted) {
            (Self::Inner(inner), _) => inner,
            (Self::Type { sent, .. }, Some(wanted)) => E::custom(wrong_type(wanted, &sent)),
            (refusal, _) => E::custom(refusal),
        }
    }
}

fn wrong_type(wanted: &str, sent: &str) -> String {
    format!("send {wanted}, not {sent}")
}

/// `a`, `b`.
pub(super) fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl<E: Display> Display for Refusal<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { sent, accepted } => f.write_str(&wrong_type(accepted, sent)),
            Self::Because(reason) => f.write_str(reason),
            Self::Inner(inner) => inner.fmt(f),
        }
    }
}

impl<E: Debug + Display> std::error::Error for Refusal<E> {}

impl<E: Debug + Display> Error for Refusal<E> {
    fn custom<T: Display>(reason: T) -> Self {
        Self::Because(reason.to_string())
    }

    fn invalid_type(sent: Unexpected<'_>, accepted: &dyn Expected) -> Self {
        Self::Type { sent: described(&sent), accepted: accepted.to_string() }
    }

    fn invalid_value(sent: Unexpected<'_>, accepted: &dyn Expected) -> Self {
        Self::invalid_type(sent, accepted)
    }

    fn invalid_length(length: usize, _: &dyn Expected) -> Self {
        Self::Because(format!("{length} items are too many or too few: look up how many it needs"))
    }

    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        Self::Because(format!("`{variant}` is none of {}", quoted(known)))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self::Because(match known {
            [] => format!("there is no field `{field}`: remove it"),
            known => format!("there is no field `{field}`: remove it, or use one of {}", quoted(known)),
        })
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Because(format!("the field `{field}` is missing: add it"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Because(format!("the field `{field}` is given twice: remove one"))
    }
}

/// What was sent. A string is not repeated: it may be long or a secret.
fn described(sent: &Unexpected<'_>) -> String {
    match sent {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string".to_owned(),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        Unexpected::NewtypeStruct
        | Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant
        | Unexpected::Other(_) => "this value".to_owned(),
    }
}
