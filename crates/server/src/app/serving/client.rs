//! What SDKs can do with a key: load the values of a user with a client key; with either kind, follow changes and send
//! goals.

use std::sync::Arc;
use std::time::Duration;

use flagservice_core::Since;
use flagservice_rules::{Instant, User};
use tokio::sync::watch;

use crate::app::serving::snapshot::{EnvironmentSnapshot, Published, SdkKeyRef};
use crate::app::serving::stream_token;
use crate::app::{App, AppError, Result};
use crate::domain::environment::Wake;
use crate::domain::sdk_key::KeyKind;
use crate::secret;
use crate::store::resources::environments;
use crate::store::{is_busy, is_unreachable};

/// How long the database may take to say which version it has.
const CATCH_UP_WITHIN: Duration = Duration::from_secs(3);

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
    /// Adds the user's value of every feature to a text, as a JSON object; returns the point that they stand for.
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
    app: &App,
    snapshot: &EnvironmentSnapshot,
    user: &User,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if snapshot.takes_long(user) { evaluate_long(app, work).await } else { Ok(work()) }
}

/// Evaluates on a thread of its own.
///
/// # Errors
/// When the evaluation panics.
pub async fn evaluate_long<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    app.compilers.searches.run(work).await
}

/// The environment whose rules a server key reads, as it is now.
///
/// # Errors
/// [`AppError::Unauthenticated`] when the key stopped counting.
pub fn environment(app: &App, key: &SdkKeyRef) -> Result<Arc<EnvironmentSnapshot>> {
    let published = app.snapshots.current(&key.environment_id);
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
pub fn authenticate(app: &App, kind: KeyKind, key: &str) -> Result<Arc<SdkKeyRef>> {
    app.snapshots.key(kind, &secret::hash(key)).ok_or(match kind {
        KeyKind::Client => AppError::UnknownClientKey,
        KeyKind::Server => AppError::Unauthenticated(NO_SERVER_KEY),
    })
}

/// The environment that a key of either kind reads, to be evaluated now.
///
/// # Errors
/// [`AppError::Unauthenticated`] when the key stopped counting.
pub fn current(app: &App, key: &SdkKeyRef) -> Result<Published> {
    let published = app.snapshots.current(&key.environment_id).ok_or(AppError::Unauthenticated(NO_SDK_KEY))?;
    Ok(Published { snapshot: published.snapshot, at: app.now() })
}

/// The key of that text, of whichever kind.
///
/// # Errors
/// [`AppError::Unauthenticated`] when it does not count.
pub fn authenticate_either(app: &App, key: &str) -> Result<Arc<SdkKeyRef>> {
    let kind = if key.starts_with(KeyKind::Server.prefix()) { KeyKind::Server } else { KeyKind::Client };
    authenticate(app, kind, key).map_err(|_| AppError::Unauthenticated(NO_SDK_KEY))
}

/// The user's values.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when the key stopped counting.
pub fn load(app: &App, key: &SdkKeyRef, user: User) -> Result<Loaded> {
    let published = app.snapshots.current(&key.environment_id).ok_or(AppError::UnknownClientKey)?;
    let (token, user) = stream_token::seal(app, key, user)?;
    Ok(Loaded { snapshot: published.snapshot, at: app.now(), user: Arc::new(user), token })
}

/// Opens a stream, or says with `None` that the client must load again: its token does not count, or it has seen a newer
/// version than this node can show.
///
/// # Errors
/// When the database fails.
pub async fn subscribe(app: &App, key: &SdkKeyRef, token: &str, since: Option<Since>) -> Result<Option<Subscription>> {
    if app.keyring.is_behind(token) {
        take_up_keys(app).await?;
    }
    let Some(token) = stream_token::open(app, key, token, app.now()) else {
        return Ok(None);
    };
    let published = published(app, key, since).await?;
    let (loaded_at, expires_at) = (token.loaded_at(), token.expires_at());
    Ok(published.map(|published| Subscription { loaded_at, expires_at, user: token.user, published }))
}

/// The environment as it is and will be; none when the client has seen a newer version of it than this node can show.
///
/// # Errors
/// When the database fails.
pub async fn published(app: &App, key: &SdkKeyRef, since: Option<Since>) -> Result<Option<watch::Receiver<Published>>> {
    let Some(published) = app.snapshots.subscribe(&key.environment_id) else {
        return Ok(None);
    };
    if let Some(since) = since {
        let (epoch, version) = {
            let now = published.borrow();
            (now.snapshot.epoch, now.snapshot.version)
        };
        if since.epoch == epoch && since.version > version && !catch_up(app, key, since.version).await? {
            return Ok(None);
        }
    }
    Ok(Some(published))
}

/// Reads the data keys that another node may have encrypted with; a database that does not answer has none.
async fn take_up_keys(app: &App) -> Result<()> {
    let read = async { app.keyring.follow(&mut *app.store.read().await?).await };
    match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
        Ok(Err(error)) if !is_unreachable(&error) && !is_busy(&error) => Err(error.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Waits for a version that another node has already shown; false when the database does not know of it either, or does not
/// answer: values from before would take the client back.
async fn catch_up(app: &App, key: &SdkKeyRef, version: u64) -> Result<bool> {
    let read = async { environments::get(&mut *app.store.read().await?, &key.environment_id).await };
    let stored = match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
        Ok(Ok(stored)) => stored.map(|environment| environment.version),
        Ok(Err(error)) if !is_unreachable(&error) && !is_busy(&error) => return Err(error.into()),
        Ok(Err(_)) | Err(_) => None,
    };
    let Some(stored) = stored.filter(|stored| *stored >= version) else { return Ok(false) };
    app.store.wake(Wake::Environment { environment: key.environment_id.clone(), version: Some(stored) });
    app.snapshots.wait_for(&key.environment_id, version).await;
    Ok(app.snapshots.current(&key.environment_id).is_some_and(|now| now.snapshot.version >= version))
}
