//! Sessions of the administration pages: begun with a personal access token, with its rights, and ended with it at the latest.

use flagservice_rules::Instant;

use crate::app::actor::bearer;
use crate::app::{Actor, App, AppError, Result};
use crate::random;
use crate::secret::{Secret, hash};
use crate::store::resources::sessions;

/// What a session's text begins with.
const PREFIX: &str = "session-";

/// A session that counts.
pub struct Session {
    /// The signed-in person.
    pub actor: Actor,
    /// When it ends.
    pub expires_at: Instant,
    /// What the pages send with each write: only who can read the service's answers knows it.
    pub csrf_token: Secret,
}

/// Begins a session for the token's person. Its text is for the cookie, and nowhere else.
///
/// # Errors
/// [`AppError::Unauthenticated`] when the token does not count.
pub async fn begin(app: &App, token: &Secret) -> Result<(Session, Secret)> {
    let bearer = bearer(app, token).await?;
    let text = Secret::new(random::secret(&*app.random, PREFIX));
    let now = app.now();
    let longest = app.clock.after(app.retention.session);
    let expires_at = bearer.expires_at.map_or(longest, |expiry| expiry.min(longest));
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    sessions::delete_ended(connection, now).await?;
    sessions::insert(connection, &text.hash(), &bearer, now, expires_at).await?;
    write.commit().await?;
    let actor = Actor::of_bearer(app, bearer).await;
    Ok((Session { actor, expires_at, csrf_token: csrf_token(&text) }, text))
}

/// The session of this text.
///
/// # Errors
/// [`AppError::Unauthenticated`] when it has ended, or never was.
pub async fn find(app: &App, text: &Secret) -> Result<Session> {
    let session = sessions::find(&mut *app.store.read_control().await?, &text.hash(), app.now()).await?;
    let (bearer, expires_at) = session.ok_or(AppError::Unauthenticated("Your session has ended. Sign in again."))?;
    Ok(Session { actor: Actor::of_bearer(app, bearer).await, expires_at, csrf_token: csrf_token(text) })
}

/// Ends the session of this text.
///
/// # Errors
/// When the database fails.
pub async fn end(app: &App, text: &Secret) -> Result<()> {
    let mut write = app.store.write().await?;
    sessions::delete(write.connection().await?, &text.hash()).await?;
    write.commit().await?;
    Ok(())
}

/// The token that each write of a session must send. It is derived from the session's secret, so every node can compute it
/// and none stores it; the secret cannot be computed from it.
pub fn csrf_token(text: &Secret) -> Secret {
    Secret::new(hash(&format!("csrf {}", text.reveal())))
}
