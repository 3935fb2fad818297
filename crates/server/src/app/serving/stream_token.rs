//! The token that opens a stream: the user, encrypted, so that no URL tells who it is and every node can read it.

use flagservice_core::wire::MAX_TOKEN;
use flagservice_rules::{Instant, User};
use serde::{Deserialize, Serialize};

use crate::app::serving::snapshot::SdkKeyRef;
use crate::app::{App, Result};
use crate::domain::ids::SdkKeyId;

const PURPOSE: &[u8] = b"flagservice stream";

/// How long a token is valid, in milliseconds: 12 h. Then the streams that it has opened end.
pub const STREAM_TOKEN_LIFETIME_MS: i64 = 12 * 60 * 60 * 1000;

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
pub fn seal(app: &App, key: &SdkKeyRef, user: User) -> Result<(String, User)> {
    let expires = app.now().0.saturating_add(STREAM_TOKEN_LIFETIME_MS);
    let mut token = StreamToken { client_key: key.id.clone(), expires, user: Some(user) };
    let sealed = write(app, &token)?;
    let user = token.user.take().unwrap_or_default();
    if sealed.len() > MAX_TOKEN {
        return Ok((write(app, &token)?, user));
    }
    Ok((sealed, user))
}

/// Reads a token; `None` when it is expired, unreadable, or another key's.
pub fn open(app: &App, key: &SdkKeyRef, sealed: &str, now: Instant) -> Option<StreamToken> {
    let plain = app.keyring.open_sealed(PURPOSE, sealed)?;
    let token: StreamToken = serde_json::from_slice(&plain).ok()?;
    (token.client_key == key.id && token.expires > now.0).then_some(token)
}

fn write(app: &App, token: &StreamToken) -> Result<String> {
    let plain = serde_json::to_vec(token).map_err(anyhow::Error::new)?;
    Ok(app.keyring.seal(PURPOSE, &plain, &*app.random)?)
}
