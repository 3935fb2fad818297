//! What SDKs can do with a key: load the values of a user with a client key; with either kind, follow changes and send
//! goals.

use std::sync::Arc;

use flagservice_core::Since;
use flagservice_rules::{Instant, User};
use tokio::sync::watch;

use crate::domain::sdk_key::KeyKind;
use crate::error::{AppError, Result};
use crate::secret;
use crate::serving::Serving;
use crate::serving::snapshot::{EnvironmentSnapshot, Published};
use crate::serving::snapshots::SdkKeyRef;
use crate::serving::stream_token;

/// What to send where a server key is missing or does not count.
pub const NO_SERVER_KEY: &str = "Send a server key of the environment that counts: Authorization: Bearer srv-….";

/// What to send where a key of either kind is missing or does not count.
const NO_SDK_KEY: &str =
    "Send a client key or a server key that counts: Authorization: Bearer js-…, or X-API-Key: js-….";

/// What a load answers: the user's values, as they are at one instant.
pub struct Loaded {
    /// The environment.
    pub snapshot: Arc<EnvironmentSnapshot>,
    at: Instant,
    /// The user.
    pub user: Arc<User>,
    /// Opens the stream.
    pub token: String,
}

impl Loaded {
    /// Adds the user's values to a text, as [`EnvironmentSnapshot::write_values`] does; returns the point that they stand for.
    pub fn write_values(&self, text: &mut String) -> Since {
        let digest = self.snapshot.write_values(&self.user, self.at, text);
        self.snapshot.since(digest)
    }

    /// How many features there are.
    pub fn features(&self) -> usize {
        self.snapshot.features.len()
    }
}

/// Evaluates for a user: at once, or on a thread of its own if searching the user's texts for patterns takes long.
///
/// # Errors
/// When the evaluation panics.
pub async fn evaluate<T: Send + 'static>(
    serving: &Serving,
    snapshot: &EnvironmentSnapshot,
    user: &User,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if snapshot.takes_long(user) { long_work(serving, work).await } else { Ok(work()) }
}

/// Does work that takes long on a thread of its own.
///
/// # Errors
/// When it panics.
pub async fn long_work<T: Send + 'static>(serving: &Serving, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    serving.searches.run(work).await
}

/// The environment whose rules a server key reads, as it is now.
///
/// # Errors
/// [`AppError::Unauthenticated`] when the key stopped counting.
pub fn environment(serving: &Serving, key: &SdkKeyRef) -> Result<Arc<EnvironmentSnapshot>> {
    let published = serving.snapshots.current(&key.environment_id);
    published.map(|published| published.snapshot).ok_or(AppError::Unauthenticated(NO_SERVER_KEY))
}

/// What a stream needs to continue.
pub struct Subscription {
    /// The user; without one the stream only signals changes.
    pub user: Option<User>,
    /// When the client loaded.
    pub loaded_at: Instant,
    /// When its token expires.
    pub expires_at: Instant,
    /// The environment as it is and will be.
    pub published: watch::Receiver<Published>,
}

/// The key of that kind and text.
///
/// # Errors
/// [`AppError::UnknownClientKey`], of a server key [`AppError::Unauthenticated`], when it does not count.
pub fn authenticate(serving: &Serving, kind: KeyKind, key: &str) -> Result<Arc<SdkKeyRef>> {
    find_key(serving, kind, key, || match kind {
        KeyKind::Client => AppError::UnknownClientKey,
        KeyKind::Server => AppError::Unauthenticated(NO_SERVER_KEY),
    })
}

/// The environment that a key of either kind reads, to be evaluated now.
///
/// # Errors
/// [`AppError::Unauthenticated`] when the key stopped counting.
pub fn current(serving: &Serving, key: &SdkKeyRef) -> Result<Published> {
    let published = serving.snapshots.current(&key.environment_id).ok_or(AppError::Unauthenticated(NO_SDK_KEY))?;
    Ok(Published { snapshot: published.snapshot, at: serving.now() })
}

/// The key of that text, of whichever kind.
///
/// # Errors
/// [`AppError::Unauthenticated`] when it does not count.
pub fn authenticate_either(serving: &Serving, key: &str) -> Result<Arc<SdkKeyRef>> {
    let kind = if key.starts_with(KeyKind::Server.prefix()) { KeyKind::Server } else { KeyKind::Client };
    find_key(serving, kind, key, || AppError::Unauthenticated(NO_SDK_KEY))
}

fn find_key(serving: &Serving, kind: KeyKind, key: &str, unknown: impl FnOnce() -> AppError) -> Result<Arc<SdkKeyRef>> {
    let may_be_new = || !key.is_empty() && !serving.backend.knows_all_keys();
    let found = serving.snapshots.key(kind, &secret::hash(key));
    found.ok_or_else(|| if may_be_new() { AppError::NotReady } else { unknown() })
}

/// The user's values.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when the key stopped counting.
pub fn load(serving: &Serving, key: &SdkKeyRef, user: User) -> Result<Loaded> {
    let published = serving.snapshots.current(&key.environment_id).ok_or(AppError::UnknownClientKey)?;
    let (token, user) = stream_token::seal(serving, key, user)?;
    Ok(Loaded { snapshot: published.snapshot, at: serving.now(), user: Arc::new(user), token })
}

/// Opens a stream, or says with `None` that the client must load again: its token does not count, or it has seen a newer
/// version than this node can show.
///
/// # Errors
/// When the database fails.
pub async fn subscribe(
    serving: &Serving,
    key: &SdkKeyRef,
    token: &str,
    since: Option<Since>,
) -> Result<Option<Subscription>> {
    if stream_token::is_behind(serving, key, token) {
        serving.backend.take_up_token_keys().await?;
    }
    let Some(token) = stream_token::open(serving, key, token, serving.now()) else {
        return Ok(None);
    };
    let published = published(serving, key, since).await?;
    let (loaded_at, expires_at) = (token.loaded_at(), token.expires_at());
    Ok(published.map(|published| Subscription { loaded_at, expires_at, user: token.user, published }))
}

/// The environment as it is and will be; none when the client has seen a newer version of it than this node can show.
///
/// # Errors
/// When the database fails.
pub async fn published(
    serving: &Serving,
    key: &SdkKeyRef,
    since: Option<Since>,
) -> Result<Option<watch::Receiver<Published>>> {
    let Some(published) = serving.snapshots.subscribe(&key.environment_id) else {
        return Ok(None);
    };
    if let Some(since) = since {
        let now = published.borrow().snapshot.since(0);
        if !now.may_replace(&since) && !serving.backend.catch_up(&key.environment_id, since.version).await? {
            return Ok(None);
        }
    }
    Ok(Some(published))
}
