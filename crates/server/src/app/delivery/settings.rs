//! What people enter of a destination: its keys, or its URL. What they leave blank stays as it is stored.

use flagservice_rules::Violation;

use crate::app::delivery::hook_url::HookUrl;
use crate::app::secrets::credentials::{self, Credentials, Hook, Keys, Signing};
use crate::app::secrets::signing::SigningKey;
use crate::app::{App, AppError, Result};
use crate::domain::integration::{Kind, Region};
use crate::secret::Secret;

const API_KEY: &str = "/configuration/analytics/apiKey";
const SECRET_KEY: &str = "/configuration/analytics/secretKey";

/// The settings of a destination as they are written.
pub enum NewSettings {
    /// An analytics project.
    Analytics {
        /// The key that names the account; blank or none keeps the stored one.
        api_key: Option<Secret>,
        /// The key that proves it; blank or none keeps the stored one.
        secret_key: Option<Secret>,
        /// Picks the destination's address.
        region: Region,
    },
    /// A webhook that gets signed requests.
    Webhook {
        /// Where it is; blank or none keeps the stored one.
        url: Option<Secret>,
    },
    /// An incoming webhook of Slack.
    Slack {
        /// Where it is; blank or none keeps the stored one.
        url: Option<Secret>,
    },
}

impl NewSettings {
    /// The type of the destination.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Analytics { .. } => Kind::Analytics,
            Self::Webhook { .. } => Kind::Webhook,
            Self::Slack { .. } => Kind::Slack,
        }
    }

    /// The region, if the destination has one.
    pub(super) fn region(&self) -> Option<Region> {
        match self {
            Self::Analytics { region, .. } => Some(*region),
            Self::Webhook { .. } | Self::Slack { .. } => None,
        }
    }
}

/// What was entered and is usable. None: it was left blank.
pub(super) enum Entered {
    Keys(Option<Secret>, Option<Secret>),
    Url(Kind, Option<HookUrl>),
}

impl Entered {
    /// Reads what was entered, and adds what is wrong with a URL.
    ///
    /// # Errors
    /// [`AppError::Invalid`] for a key that cannot be sent.
    pub(super) fn read(app: &App, settings: &NewSettings, violations: &mut Vec<Violation>) -> Result<Self> {
        let (kind, url) = match settings {
            NewSettings::Analytics { api_key, secret_key, .. } => {
                let api_key = credentials::taken(API_KEY, api_key.as_ref(), true)?;
                return Ok(Self::Keys(api_key, credentials::taken(SECRET_KEY, secret_key.as_ref(), false)?));
            }
            NewSettings::Webhook { url } => (Kind::Webhook, url),
            NewSettings::Slack { url } => (Kind::Slack, url),
        };
        let url = url.as_ref().map(|url| url.reveal().trim()).filter(|url| !url.is_empty());
        let Some(parsed) = url.map(|url| HookUrl::parse(url, &app.outbound.reach)) else {
            return Ok(Self::Url(kind, None));
        };
        match parsed {
            Ok(url) => Ok(Self::Url(kind, Some(url))),
            Err(detail) => {
                violations.push(Violation { pointer: url_pointer(kind), detail });
                Ok(Self::Url(kind, None))
            }
        }
    }

    /// Whether everything was left blank.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self, Self::Keys(None, None) | Self::Url(_, None))
    }

    /// The credentials of a new integration. Adds what is missing.
    pub(super) fn for_new(self, app: &App, violations: &mut Vec<Violation>) -> Result<Option<Credentials>> {
        let mut missing = |pointer: String, detail: &str| {
            if violations.iter().all(|violation| violation.pointer != pointer) {
                violations.push(Violation { pointer, detail: detail.to_owned() });
            }
        };
        match self {
            Self::Keys(Some(api_key), Some(secret_key)) => {
                Ok(Some(Credentials::Analytics(Keys { api_key, secret_key })))
            }
            Self::Keys(api_key, secret_key) => {
                for (key, pointer) in [(&api_key, API_KEY), (&secret_key, SECRET_KEY)] {
                    if key.is_none() {
                        missing(pointer.to_owned(), "A new integration needs this key of the analytics project.");
                    }
                }
                Ok(None)
            }
            Self::Url(kind, None) => {
                missing(url_pointer(kind), "A new integration needs the URL that the receiver gives you.");
                Ok(None)
            }
            Self::Url(kind, Some(url)) => {
                let signing = match kind {
                    Kind::Webhook => Some(Signing { key: SigningKey::generate(&*app.random)?, previous: None }),
                    Kind::Analytics | Kind::Slack => None,
                };
                Ok(Some(Credentials::Hook(Hook { url, signing })))
            }
        }
    }

    /// The credentials after an edit, from what is stored where it was left blank.
    ///
    /// # Errors
    /// [`AppError::Invalid`] when that is needed and cannot be decrypted.
    pub(super) fn over(self, stored: Option<Credentials>) -> Result<Credentials> {
        match (self, stored) {
            (Self::Keys(Some(api_key), Some(secret_key)), _) => {
                Ok(Credentials::Analytics(Keys { api_key, secret_key }))
            }
            (Self::Keys(api_key, secret_key), Some(Credentials::Analytics(stored))) => {
                let api_key = api_key.unwrap_or(stored.api_key);
                Ok(Credentials::Analytics(Keys { api_key, secret_key: secret_key.unwrap_or(stored.secret_key) }))
            }
            (Self::Keys(..), _) => {
                Err(AppError::invalid(API_KEY, "The stored keys cannot be read. Send both keys again."))
            }
            (Self::Url(Kind::Slack, Some(url)), _) => Ok(Credentials::Hook(Hook { url, signing: None })),
            (Self::Url(_, url), Some(Credentials::Hook(stored))) => {
                Ok(Credentials::Hook(Hook { url: url.unwrap_or(stored.url), signing: stored.signing }))
            }
            (Self::Url(kind, _), _) => Err(unreadable(kind)),
        }
    }
}

/// That the stored credentials cannot be decrypted, so that nothing can be kept of them.
pub(super) fn unreadable(kind: Kind) -> AppError {
    AppError::invalid(
        &url_pointer(kind),
        "The stored URL and secret cannot be read. Delete this integration, and create it again.",
    )
}

fn url_pointer(kind: Kind) -> String {
    format!("/configuration/{}/url", kind.as_str())
}
