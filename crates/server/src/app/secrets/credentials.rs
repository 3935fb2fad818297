//! What a destination trusts: the keys of an analytics project, or the URL and the signing secret of a webhook. They come in
//! once, are stored encrypted, and leave only with a delivery.

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::app::delivery::hook_url::HookUrl;
use crate::app::secrets::signing::SigningKey;
use crate::app::{App, AppError, Result};
use crate::domain::ids::IntegrationId;
use crate::secret::Secret;
use crate::store::Connection;

/// The most characters of a key.
const MOST: usize = 1_000;

/// What a destination trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// The keys of an analytics project.
    Analytics(Keys),
    /// A webhook.
    Hook(Hook),
}

/// The keys of an analytics project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// The user of Basic authentication.
    pub api_key: Secret,
    /// Its password.
    pub secret_key: Secret,
}

/// A webhook: where it is, and what signs its requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// Where it is.
    pub url: HookUrl,
    /// What signs its requests; none for one whose URL is its only secret.
    pub signing: Option<Signing>,
}

/// What signs the requests of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signing {
    /// The key.
    pub key: SigningKey,
    /// The key before, which signs too until this time, so that receivers can change over.
    pub previous: Option<(SigningKey, Instant)>,
}

impl Signing {
    /// The keys that sign at this time, the newest first.
    pub fn keys_at(&self, now: Instant) -> impl Iterator<Item = &SigningKey> {
        let previous = self.previous.as_ref().filter(|(_, until)| now < *until);
        std::iter::once(&self.key).chain(previous.map(|(key, _)| key))
    }
}

/// As they are encrypted. Analytics keys are the list that releases before 2.6 read.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Keys([String; 2]),
    Hook {
        url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        previous: Option<StoredPrevious>,
    },
}

#[derive(Serialize, Deserialize)]
struct StoredPrevious {
    secret: String,
    until: Instant,
}

impl From<&Credentials> for Stored {
    fn from(credentials: &Credentials) -> Self {
        match credentials {
            Credentials::Analytics(Keys { api_key, secret_key }) => {
                Self::Keys([api_key, secret_key].map(|key| key.reveal().to_owned()))
            }
            Credentials::Hook(Hook { url, signing }) => Self::Hook {
                url: url.reveal().to_owned(),
                secret: signing.as_ref().map(|signing| signing.key.text().reveal().to_owned()),
                previous: signing
                    .as_ref()
                    .and_then(|signing| signing.previous.as_ref())
                    .map(|(key, until)| StoredPrevious { secret: key.text().reveal().to_owned(), until: *until }),
            },
        }
    }
}

impl Stored {
    fn read(self) -> Option<Credentials> {
        Some(match self {
            Self::Keys([api_key, secret_key]) => {
                Credentials::Analytics(Keys { api_key: Secret::new(api_key), secret_key: Secret::new(secret_key) })
            }
            Self::Hook { url, secret, previous } => {
                let signing = match secret {
                    None => None,
                    Some(secret) => {
                        let key = SigningKey::stored(secret)?;
                        let previous = previous.and_then(|StoredPrevious { secret, until }| {
                            SigningKey::stored(secret).map(|key| (key, until))
                        });
                        Some(Signing { key, previous })
                    }
                };
                Credentials::Hook(Hook { url: HookUrl::stored(&url)?, signing })
            }
        })
    }
}

/// What they are encrypted for: those of one integration do not open for another.
pub(in crate::app) fn purpose(id: &IntegrationId) -> Vec<u8> {
    format!("credentials of the integration {id}").into_bytes()
}

/// Encrypts the credentials.
pub(in crate::app) fn seal(app: &App, id: &IntegrationId, credentials: &Credentials) -> Result<String> {
    let plain = serde_json::to_vec(&Stored::from(credentials)).map_err(anyhow::Error::new)?;
    Ok(app.keyring.seal(&purpose(id), &plain, &*app.random)?)
}

/// Decrypts the credentials; none when no data key opens them.
///
/// # Errors
/// When the database fails.
pub async fn open(app: &App, id: &IntegrationId, sealed: &str) -> Result<Option<Credentials>> {
    if app.keyring.is_behind(sealed) {
        return open_with(app, &mut *app.store.read().await?, id, sealed).await;
    }
    Ok(open_known(app, id, sealed))
}

/// The same, for a caller that has a connection.
pub(in crate::app) async fn open_with(
    app: &App,
    connection: &mut Connection,
    id: &IntegrationId,
    sealed: &str,
) -> Result<Option<Credentials>> {
    if app.keyring.is_behind(sealed) {
        // Another node, or the command line, has made a new data key.
        app.keyring.follow(connection).await?;
    }
    Ok(open_known(app, id, sealed))
}

fn open_known(app: &App, id: &IntegrationId, sealed: &str) -> Option<Credentials> {
    let plain = app.keyring.open_sealed(&purpose(id), sealed)?;
    serde_json::from_slice::<Stored>(&plain).ok()?.read()
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
        return Err(AppError::invalid(pointer, format!("A key has at most {MOST} characters. Copy the key alone.")));
    }
    if key.chars().any(char::is_control) {
        return Err(AppError::invalid(pointer, "A key has no control characters. Copy the key alone."));
    }
    if user && key.contains(':') {
        return Err(AppError::invalid(pointer, "An API key has no colon: it would end there."));
    }
    Ok(Some(Secret::new(key.to_owned())))
}
