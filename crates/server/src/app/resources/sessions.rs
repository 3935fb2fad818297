//! Sessions of the administration pages: begun with a personal access token or with an identity provider, with the rights of the person,
//! and ended with the token or the identity at the latest.

use flagservice_rules::Instant;

use crate::app::actor::bearer;
use crate::app::{Actor, App, AppError, Result, Write};
use crate::domain::ids::IdentityId;
use crate::domain::user::User;
use crate::random;
use crate::secret::{Secret, hash};
use crate::store::resources::sessions::{self, Holder};

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

/// Begins a session of an identity, in the transaction that has found or added it.
pub(in crate::app) async fn begin_of_identity(
    app: &App,
    write: &mut Write<'_>,
    identity: &IdentityId,
    user: User,
) -> Result<(Session, Secret)> {
    let text = Secret::new(random::secret(&*app.random, PREFIX));
    let (now, expires_at) = (app.now(), app.clock.after(app.retention.session));
    let connection = write.connection().await?;
    sessions::delete_ended(connection, now).await?;
    sessions::insert_of_identity(connection, &text.hash(), identity, now, expires_at).await?;
    let csrf_token = csrf_token(&text);
    Ok((Session { actor: Actor::new(user, None), expires_at, csrf_token }, text))
}

/// The session of this text.
///
/// # Errors
/// [`AppError::Unauthenticated`] when it has ended, or never was.
pub async fn find(app: &App, text: &Secret) -> Result<Session> {
    let session = sessions::find(&mut *app.store.read_control().await?, &text.hash(), app.now()).await?;
    let (holder, expires_at) = session.ok_or(AppError::Unauthenticated("Your session has ended. Sign in again."))?;
    let actor = match holder {
        Holder::Token(bearer) => Actor::of_bearer(app, bearer).await,
        Holder::Identity(user) => Actor::new(user, None),
    };
    Ok(Session { actor, expires_at, csrf_token: csrf_token(text) })
}

/// Ends the session of this text. Says whether it was begun with an identity provider, where the person may still be signed in.
///
/// # Errors
/// When the database fails.
pub async fn end(app: &App, text: &Secret) -> Result<bool> {
    let mut write = app.store.write().await?;
    let of_identity = sessions::delete(write.connection().await?, &text.hash()).await?;
    write.commit().await?;
    Ok(of_identity)
}

/// The token that each write of a session must send. It is derived from the session's secret, so every node can compute it
/// and none stores it; the secret cannot be computed from it.
pub fn csrf_token(text: &Secret) -> Secret {
    Secret::new(hash(&format!("csrf {}", text.reveal())))
}
