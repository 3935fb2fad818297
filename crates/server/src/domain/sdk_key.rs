//! Client keys and server keys.

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{EnvironmentId, SdkKeyId};

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyKind {
    /// Public: reads evaluated values and writes goals.
    Client,
    /// Secret: reads the rules.
    Server,
}

impl KeyKind {
    /// What a key of this kind begins with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Client => "js-",
            Self::Server => "srv-",
        }
    }

    /// The word for it in the database, and for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

impl TryFrom<String> for KeyKind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        [Self::Client, Self::Server]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("unknown kind of key '{text}'"))
    }
}

/// A key.
#[derive(Clone, Debug)]
pub struct SdkKey {
    /// Its id.
    pub id: SdkKeyId,
    /// The one environment that it reads.
    pub environment_id: EnvironmentId,
    /// What it is for.
    pub kind: KeyKind,
    /// For people.
    pub name: String,
    /// Of the key's text.
    pub hash: String,
    /// The key's last characters, by which people tell keys apart.
    pub hint: String,
    /// When it was made.
    pub created_at: Instant,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Instant>,
}
