//! Texts that people write: how long each kind may be, and that a name says something. One rule for all resources.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

/// Which part of the rule a text breaks, and what kind of text it was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidText {
    /// It holds the character NUL, which PostgreSQL does not keep.
    Nul(&'static str),
    /// Nothing of it shows.
    Blank(&'static str),
    /// It has more characters than these.
    TooLong(&'static str, usize),
}

impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nul(what) => write!(f, "{what} cannot hold the character NUL (U+0000): leave it out"),
            Self::Blank(what) => write!(f, "{what} cannot be blank: write something by which people know it"),
            Self::TooLong(what, most) => write!(f, "{what} has at most {most} characters: shorten it"),
        }
    }
}

impl std::error::Error for InvalidText {}

/// Lets a text pass that keeps the rule. Characters are Unicode's, as in the schema.
fn checked(text: String, what: &'static str, least: usize, most: usize) -> Result<String, InvalidText> {
    if text.contains('\0') {
        return Err(InvalidText::Nul(what));
    }
    if least > 0 && text.trim().is_empty() {
        return Err(InvalidText::Blank(what));
    }
    // There are no more characters than bytes, so that most texts need no count.
    if text.len() > most && text.chars().count() > most {
        return Err(InvalidText::TooLong(what, most));
    }
    Ok(text)
}

fn schema(least: usize, most: usize) -> RefOr<Schema> {
    let pattern = if least > 0 { r"^[^\u0000]*[^\s\u0000][^\u0000]*$" } else { r"^[^\u0000]*$" };
    let text = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).pattern(Some(pattern));
    text.min_length((least > 0).then_some(least)).max_length(Some(most)).into()
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident: $what:literal, $least:literal to $most:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The fewest characters; from one on, they must not all be blank.
            pub const LEAST: usize = $least;
            /// The most characters.
            pub const MOST: usize = $most;
        }

        impl TryFrom<String> for $name {
            type Error = InvalidText;

            fn try_from(text: String) -> Result<Self, InvalidText> {
                checked(text, $what, Self::LEAST, Self::MOST).map(Self)
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema(Self::LEAST, Self::MOST)
            }
        }

        impl ToSchema for $name {}
    )+};
}

texts! {
    /// What people call a thing.
    Name: "a name", 1 to 200;
    /// What a thing is for. May be empty.
    Description: "a description", 0 to 5_000;
    /// What the author of a change says of it. May be empty.
    Comment: "a comment", 0 to 5_000;
    /// What somebody says about a change of somebody else's.
    Remark: "a comment", 1 to 5_000;
    /// A word by which people find things.
    Tag: "a tag", 1 to 100;
    /// What puts users into other buckets.
    Salt: "a salt", 1 to 100;
    /// What a rule is called, which is wording alone. May be empty.
    RuleName: "the name of a rule", 0 to 200;
    /// The filter of a list as in its URL. May be empty.
    ViewQuery: "a query", 0 to 1_000;
}

impl Description {
    /// Of a thing that nobody has described.
    pub fn none() -> Self {
        Self(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::{Description, InvalidText, Name};

    #[test]
    fn the_length_is_counted_in_characters() {
        assert!(Name::try_from("ä".repeat(200)).is_ok());
        assert_eq!(Name::try_from("ä".repeat(201)), Err(InvalidText::TooLong("a name", 200)));
    }

    #[test]
    fn what_must_not_be_empty_must_not_be_blank() {
        for blank in ["", " ", "\u{a0}\n"] {
            assert_eq!(Name::try_from(blank.to_owned()), Err(InvalidText::Blank("a name")), "{blank:?}");
            assert!(Description::try_from(blank.to_owned()).is_ok(), "{blank:?}");
        }
    }
}
