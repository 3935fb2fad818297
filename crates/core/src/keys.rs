//! The keys of features, environments, projects, audiences, variants and goals.

use core::fmt;

/// Maximum length of a key, in bytes.
pub const MAX_LENGTH: usize = 100;

/// Why a text is not a valid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidKey {
    /// It is empty.
    Empty,
    /// It is longer than [`MAX_LENGTH`].
    TooLong,
    /// It contains other characters than letters, digits, `-`, `_` and `.`, or does not begin with a letter or digit.
    Character,
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "a key must not be empty",
            Self::TooLong => "a key can have at most 100 characters",
            Self::Character => {
                "a key must begin with a letter or digit and contain only letters, digits, '-', '_' and '.'"
            }
        })
    }
}

impl core::error::Error for InvalidKey {}

/// A key: ASCII letters, digits, `-`, `_` and `.`, beginning with a letter or digit, at most 100 characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "openapi",
    schema(value_type = String, min_length = 1, max_length = 100, pattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$", example = "new-checkout")
)]
pub struct Key(String);

/// The key of a feature.
pub type FeatureKey = Key;

impl Key {
    /// Parses a key.
    ///
    /// # Errors
    /// [`InvalidKey`] names the rule that the text breaks.
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        check(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn check(text: &str) -> Result<(), InvalidKey> {
    if text.is_empty() {
        return Err(InvalidKey::Empty);
    }
    if text.len() > MAX_LENGTH {
        return Err(InvalidKey::TooLong);
    }
    let valid_start = text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric());
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !valid_start || !text.bytes().all(allowed) {
        return Err(InvalidKey::Character);
    }
    Ok(())
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Key {
    type Error = InvalidKey;

    fn try_from(text: String) -> Result<Self, InvalidKey> {
        check(&text)?;
        Ok(Self(text))
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

#[cfg(test)]
mod tests {
    use super::{InvalidKey, Key};

    #[test]
    fn a_key_has_letters_digits_hyphens_underscores_and_dots() {
        assert!(Key::parse("new-checkout_v2.1").is_ok());
        assert_eq!(Key::parse(""), Err(InvalidKey::Empty));
        assert_eq!(Key::parse("-x"), Err(InvalidKey::Character));
        assert_eq!(Key::parse("a b"), Err(InvalidKey::Character));
        assert_eq!(Key::parse("__proto__"), Err(InvalidKey::Character));
        assert_eq!(Key::parse(&"a".repeat(101)), Err(InvalidKey::TooLong));
    }
}
