//! Secrets: a type that can't be printed or serialised by accident, and the hash that is stored instead.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

/// How many of a secret's last characters people can see.
const HINT_LENGTH: usize = 4;

/// A string that must not reach a log line, a response or the database.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a string.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The string, for the one place that must show or send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The last characters, so that people can tell secrets apart.
    pub fn hint(&self) -> String {
        let from = self.0.len().saturating_sub(HINT_LENGTH);
        self.0.get(from..).unwrap_or_default().to_owned()
    }

    /// Compares with a string in constant time.
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// The hash to store.
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
        // A value of another type may contain the secret too, so the error must not quote it.
        match serde_json::Value::deserialize(deserializer) {
            Ok(serde_json::Value::String(text)) => Ok(Self(text)),
            Ok(_) | Err(_) => Err(D::Error::custom("a secret must be a string")),
        }
    }
}

/// The hash to store of a token or key: these have enough random bits for a plain SHA-256.
pub fn hash(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}
