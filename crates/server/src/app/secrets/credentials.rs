//! The keys of a destination: they come in once, are stored encrypted, and leave only with a delivery.

use serde_json::json;

use crate::app::{App, AppError, Result};
use crate::domain::ids::IntegrationId;
use crate::secret::Secret;

/// The most characters of one of them.
const MOST: usize = 1_000;

/// The keys of an analytics project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The user of Basic authentication.
    pub api_key: Secret,
    /// Its password.
    pub secret_key: Secret,
}

/// What they are encrypted for: those of one integration do not open for another.
pub(in crate::app) fn purpose(id: &IntegrationId) -> Vec<u8> {
    format!("credentials of the integration {id}").into_bytes()
}

/// Encrypts the keys.
pub(in crate::app) fn seal(app: &App, id: &IntegrationId, credentials: &Credentials) -> Result<String> {
    let plain = json!([credentials.api_key.reveal(), credentials.secret_key.reveal()]).to_string();
    Ok(app.keyring.seal(&purpose(id), plain.as_bytes(), &*app.random)?)
}

/// Decrypts the keys; none when no data key opens them.
///
/// # Errors
/// When the database fails.
pub async fn open(app: &App, id: &IntegrationId, sealed: &str) -> Result<Option<Credentials>> {
    if app.keyring.is_behind(sealed) {
        // Another node, or the command line, has made a new data key.
        app.keyring.follow(&mut *app.store.read().await?).await?;
    }
    let plain = app.keyring.open_sealed(&purpose(id), sealed);
    let keys = plain.and_then(|plain| serde_json::from_slice::<[String; 2]>(&plain).ok());
    Ok(keys.map(|[api_key, secret_key]| Credentials {
        api_key: Secret::new(api_key),
        secret_key: Secret::new(secret_key),
    }))
}

/// A key as somebody sends it; none when it is blank.
///
/// # Errors
/// [`AppError::Invalid`], which never shows it, for one that Basic authentication cannot carry.
pub(in crate::app) fn taken(pointer: &str, key: Option<&Secret>, user: bool) -> Result<Option<Secret>> {
    let Some(key) = key.map(|key| key.reveal().trim()).filter(|key| !key.is_empty()) else {
        return Ok(None);
    };
    if key.chars().count() > MOST {
        return Err(AppError::invalid(pointer, format!("A key has at most {MOST} characters.")));
    }
    if key.chars().any(char::is_control) {
        return Err(AppError::invalid(pointer, "A key has no control characters."));
    }
    if user && key.contains(':') {
        return Err(AppError::invalid(pointer, "An API key has no colon: it would end there."));
    }
    Ok(Some(Secret::new(key.to_owned())))
}
