//! Texts that people write: how long each kind may be, and that a name says something. The rule for all resources.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, schema::SchemaType};
use utoipa::{PartialSchema, ToSchema};

/// A text of `MIN` to `MAX` characters without NUL, which PostgreSQL does not keep. One that must not be empty must not be
/// blank either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text<const MIN: usize, const MAX: usize>(String);

/// What people call a thing.
pub type Name = Text<1, 200>;

/// What a thing is for; may be empty.
pub type Description = Text<0, 5_000>;

/// A word by which people find a thing.
pub type Tag = Text<1, 100>;

/// The name of a rule, which is wording and may be empty.
pub type RuleName = Text<0, 200>;

/// A text as long as its request may be.
pub type AnyText = Text<0, { usize::MAX }>;

/// Which rule a text breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidText {
    /// It holds the character NUL.
    Nul,
    /// It has no character that shows.
    Blank,
    /// It has more characters than these.
    TooLong(usize),
}

impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nul => f.write_str("a text cannot hold the character NUL (U+0000): leave it out"),
            Self::Blank => f.write_str("this text cannot be blank: write something by which people know it"),
            Self::TooLong(most) => write!(f, "this text has at most {most} characters: shorten it"),
        }
    }
}

impl std::error::Error for InvalidText {}

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// Takes a text that keeps the rule.
    ///
    /// # Errors
    /// [`InvalidText`] says which part of the rule it breaks.
    pub fn parse(text: String) -> Result<Self, InvalidText> {
        if text.contains('\0') {
            return Err(InvalidText::Nul);
        }
        if MIN > 0 && text.trim().is_empty() {
            return Err(InvalidText::Blank);
        }
        // A text has no more characters than bytes, so that most are not counted.
        if text.len() > MAX && text.chars().count() > MAX {
            return Err(InvalidText::TooLong(MAX));
        }
        Ok(Self(text))
    }
}

impl<const MIN: usize, const MAX: usize> TryFrom<String> for Text<MIN, MAX> {
    type Error = InvalidText;

    fn try_from(text: String) -> Result<Self, InvalidText> {
        Self::parse(text)
    }
}

impl<const MIN: usize, const MAX: usize> From<Text<MIN, MAX>> for String {
    fn from(text: Text<MIN, MAX>) -> Self {
        text.0
    }
}

impl<const MIN: usize, const MAX: usize> Deref for Text<MIN, MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MIN: usize, const MAX: usize> PartialSchema for Text<MIN, MAX> {
    fn schema() -> RefOr<Schema> {
        let pattern = if MIN > 0 { r"^[^\u0000]*[^\s\u0000][^\u0000]*$" } else { r"^[^\u0000]*$" };
        let mut schema = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).pattern(Some(pattern));
        if MIN > 0 {
            schema = schema.min_length(Some(MIN));
        }
        if MAX < usize::MAX {
            schema = schema.max_length(Some(MAX));
        }
        schema.into()
    }
}

/// Its schema stands where it is used: the name of a type with numbers says nothing to callers.
impl<const MIN: usize, const MAX: usize> ToSchema for Text<MIN, MAX> {}

#[cfg(test)]
mod tests {
    use super::{InvalidText, Text};

    type Short = Text<1, 3>;

    #[test]
    fn the_length_is_counted_in_characters() {
        assert!(Short::parse("äöü".to_owned()).is_ok());
        assert_eq!(Short::parse("äöüß".to_owned()), Err(InvalidText::TooLong(3)));
    }

    #[test]
    fn what_must_not_be_empty_must_not_be_blank() {
        for blank in ["", " ", "\u{a0}\n"] {
            assert_eq!(Short::parse(blank.to_owned()), Err(InvalidText::Blank), "{blank:?}");
            assert!(Text::<0, 3>::parse(blank.to_owned()).is_ok(), "{blank:?}");
        }
    }
}
