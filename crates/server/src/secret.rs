//! Secret texts: a type that cannot be printed or serialised by accident, and what is stored instead of one.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

/// How many of a secret's last characters are kept for people.
const HINT_LENGTH: usize = 4;

/// A text that must not reach a log line, an answer or the database.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a text into custody.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text, for the one place that must show or send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its last characters, by which people tell secrets apart.
    pub fn hint(&self) -> String {
        let from = self.0.len().saturating_sub(HINT_LENGTH);
        self.0.get(from..).unwrap_or_default().to_owned()
    }

    /// Whether it is this text. How long that takes tells nothing of the place where they differ.
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// What is stored of it.
    pub fn hash(&self) -> String {
        hash(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // What else was sent may be the secret all the same: no message shows it.
        match serde_json::Value::deserialize(deserializer) {
            Ok(serde_json::Value::String(text)) => Ok(Self(text)),
            Ok(_) | Err(_) => Err(D::Error::custom("a secret is a text")),
        }
    }
}

/// What is stored of a token or key: they have enough random bits for a plain SHA-256.
pub fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}
