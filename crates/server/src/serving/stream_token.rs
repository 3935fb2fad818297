//! The token that opens a stream: the user, encrypted, so that no URL tells who it is and every node can read it.

use flagservice_core::wire::MAX_TOKEN;
use flagservice_rules::{Instant, User};
use serde::{Deserialize, Serialize};

use crate::domain::ids::SdkKeyId;
use crate::error::Result;
use crate::sealing::{self, SealingKey};
use crate::serving::Serving;
use crate::serving::snapshots::SdkKeyRef;

const PURPOSE: &[u8] = b"flagservice stream";

/// How long a token is valid, in milliseconds: 12 h. Then the streams that it has opened end.
pub const STREAM_TOKEN_LIFETIME_MS: i64 = 12 * 60 * 60 * 1000;

/// Whether a newer key than those of this node encrypted the token: another node may have made it with that.
pub(super) fn is_behind(serving: &Serving, key: &SdkKeyRef, sealed: &str) -> bool {
    let newest = serving.backend.token_keys(&key.environment_id).last().map(SealingKey::id);
    sealing::key_of(sealed).is_some_and(|id| newest.is_none_or(|newest| id > newest))
}

/// What a token says.
#[derive(Debug, Serialize, Deserialize)]
pub struct StreamToken {
    /// The client key with which the user was loaded.
    client_key: SdkKeyId,
    /// Until when it is valid.
    expires: i64,
    /// The user; none when they are too large for a URL, and the stream only signals changes.
    pub user: Option<User>,
}

impl StreamToken {
    /// When the token stops being valid.
    pub fn expires_at(&self) -> Instant {
        Instant(self.expires)
    }

    /// When the token was made, which is when its user was loaded.
    pub fn loaded_at(&self) -> Instant {
        Instant(self.expires.saturating_sub(STREAM_TOKEN_LIFETIME_MS))
    }
}

/// Makes a token for the user.
///
/// # Errors
/// When it cannot be encrypted.
pub fn seal(serving: &Serving, key: &SdkKeyRef, user: User) -> Result<(String, User)> {
    let expires = serving.now().0.saturating_add(STREAM_TOKEN_LIFETIME_MS);
    let mut token = StreamToken { client_key: key.id.clone(), expires, user: Some(user) };
    let sealed = write(serving, key, &token)?;
    let user = token.user.take().unwrap_or_default();
    if sealed.len() > MAX_TOKEN {
        return Ok((write(serving, key, &token)?, user));
    }
    Ok((sealed, user))
}

/// Reads a token; `None` when it is expired, unreadable, or another key's.
pub fn open(serving: &Serving, key: &SdkKeyRef, sealed: &str, now: Instant) -> Option<StreamToken> {
    let plain = sealing::open(&serving.backend.token_keys(&key.environment_id), PURPOSE, sealed)?;
    let token: StreamToken = serde_json::from_slice(&plain).ok()?;
    (token.client_key == key.id && token.expires > now.0).then_some(token)
}

fn write(serving: &Serving, key: &SdkKeyRef, token: &StreamToken) -> Result<String> {
    let plain = serde_json::to_vec(token).map_err(anyhow::Error::new)?;
    let keys = serving.backend.token_keys(&key.environment_id);
    Ok(sealing::seal(&keys, PURPOSE, &plain, &*serving.random)?)
}
