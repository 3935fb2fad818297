//! What a client may ask with its public key: its values, a stream of their changes, and that goals be kept.

use std::sync::Arc;
use std::time::Duration;

use flagservice_core::Since;
use flagservice_rules::{Instant, User};
use tokio::sync::watch;

use super::snapshot::{ClientKeyRef, EnvironmentSnapshot, Published};
use super::{App, AppError, Result, stream_token};
use crate::secret;
use crate::store::{Wake, environments, is_unreachable};

/// How long the database may take to say which version it has.
const CATCH_UP_WITHIN: Duration = Duration::from_secs(3);

/// What a load answers: the user's values, as they are at one instant.
pub struct Loaded {
    snapshot: Arc<EnvironmentSnapshot>,
    at: Instant,
    user: User,
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

/// What a stream needs to go on.
pub struct Subscription {
    /// Whose values; none: only signal changes.
    pub user: Option<User>,
    /// When the client loaded.
    pub loaded_at: Instant,
    /// The environment as it is and will be.
    pub published: watch::Receiver<Published>,
    /// The key that opened it: when it stops counting, the stream ends.
    pub client_key: ClientKeyRef,
}

/// The client key of that text.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when it does not count.
pub fn authenticate(app: &App, key: &str) -> Result<Arc<ClientKeyRef>> {
    app.snapshots.client_key(&secret::hash(key)).ok_or(AppError::UnknownClientKey)
}

/// The user's values.
///
/// # Errors
/// [`AppError::UnknownClientKey`] when the key stopped counting.
pub fn load(app: &App, key: &ClientKeyRef, user: User) -> Result<Loaded> {
    let published = app.snapshots.current(&key.environment_id).ok_or(AppError::UnknownClientKey)?;
    let (token, user) = stream_token::seal(app, key, user)?;
    Ok(Loaded { snapshot: published.snapshot, at: app.now(), user, token })
}

/// Opens a stream, or says with `None` that the client must load again: its token does not count, or it has seen a newer
/// version than this node can show.
///
/// # Errors
/// When the database fails.
pub async fn subscribe(
    app: &App,
    key: &ClientKeyRef,
    token: &str,
    since: Option<Since>,
) -> Result<Option<Subscription>> {
    if app.keyring.is_behind(token) {
        take_up_keys(app).await?;
    }
    let Some(token) = stream_token::open(app, key, token, app.now()) else {
        return Ok(None);
    };
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
    let loaded_at = token.loaded_at();
    Ok(Some(Subscription { user: token.user, loaded_at, published, client_key: key.clone() }))
}

/// Reads the data keys that another node may have encrypted with; a database that does not answer has none.
async fn take_up_keys(app: &App) -> Result<()> {
    let read = async { app.keyring.follow(&mut *app.store.read().await?).await };
    match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
        Ok(Err(error)) if !is_unreachable(&error) => Err(error.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Waits for a version that another node has already shown; false when the database does not know of it either, or does not
/// answer: values from before would take the client back.
async fn catch_up(app: &App, key: &ClientKeyRef, version: u64) -> Result<bool> {
    let read = async { environments::get(&mut *app.store.read().await?, &key.environment_id).await };
    let stored = match tokio::time::timeout(CATCH_UP_WITHIN, read).await {
        Ok(Ok(stored)) => stored.map(|environment| environment.version),
        Ok(Err(error)) if !is_unreachable(&error) => return Err(error.into()),
        Ok(Err(_)) | Err(_) => None,
    };
    let Some(stored) = stored.filter(|stored| *stored >= version) else { return Ok(false) };
    app.store.wake(Wake::Environment { environment: key.environment_id.clone(), version: Some(stored) });
    app.snapshots.wait_for(&key.environment_id, version).await;
    Ok(app.snapshots.current(&key.environment_id).is_some_and(|now| now.snapshot.version >= version))
}
