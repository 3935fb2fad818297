//! Sessions of the administration pages, stored as hashes. One counts as long as the token or the identity does that it was begun
//! with.

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row};

use crate::domain::access_token::Bearer;
use crate::domain::ids::IdentityId;
use crate::domain::user::User;
use crate::store::Result;
use crate::store::resources::access_tokens::bearer_of;
use crate::store::resources::token_scopes::{stored_hash, stored_hashes};
use crate::store::resources::users::user;

/// The person of a session.
pub enum Holder {
    /// The owner of a token.
    Token(Bearer),
    /// A person of the identity provider.
    Identity(User),
}

/// Adds a session that is begun with the bearer's token.
pub async fn insert(
    connection: &mut AnyConnection,
    hash: &str,
    bearer: &Bearer,
    created_at: Instant,
    expires_at: Instant,
) -> Result<()> {
    sqlx::query("INSERT INTO sessions (hash, token_id, created_at, expires_at) VALUES ($1, $2, $3, $4)")
        .bind(stored_hash(hash, bearer.scope.as_ref()))
        .bind(bearer.token.id.as_str())
        .bind(created_at.0)
        .bind(expires_at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// Adds a session of an identity.
pub async fn insert_of_identity(
    connection: &mut AnyConnection,
    hash: &str,
    identity: &IdentityId,
    created_at: Instant,
    expires_at: Instant,
) -> Result<()> {
    sqlx::query("INSERT INTO sessions (hash, identity_id, created_at, expires_at) VALUES ($1, $2, $3, $4)")
        .bind(hash)
        .bind(identity.as_str())
        .bind(created_at.0)
        .bind(expires_at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// The person of the session with this hash, and when it ends, if it and its token or identity are valid at this instant.
pub async fn find(connection: &mut AnyConnection, hash: &str, at: Instant) -> Result<Option<(Holder, Instant)>> {
    let [plain, scoped] = stored_hashes(hash);
    let row = sqlx::query(
        "SELECT u.id, u.organisation_id, u.name, u.role, u.revision, t.id AS token_id, t.creator_id, t.last_used_at,
            t.expires_at, t.access, t.limited, s.expires_at AS session_expires_at
         FROM sessions s LEFT JOIN identities i ON i.id = s.identity_id LEFT JOIN access_tokens t ON t.id = s.token_id
            JOIN users u ON u.id = COALESCE(t.user_id, i.user_id)
         WHERE s.hash IN ($1, $2) AND s.expires_at > $3
            AND (i.id IS NOT NULL OR (t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $3)))",
    )
    .bind(plain)
    .bind(scoped)
    .bind(at.0)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let expires_at = Instant(row.try_get("session_expires_at")?);
    let holder = match row.try_get::<Option<String>, _>("token_id")? {
        Some(_) => Holder::Token(bearer_of(connection, &row, at).await?),
        None => Holder::Identity(user(&row)?),
    };
    Ok(Some((holder, expires_at)))
}

/// Ends a session. Says whether it was one of an identity.
pub async fn delete(connection: &mut AnyConnection, hash: &str) -> Result<bool> {
    let [plain, scoped] = stored_hashes(hash);
    let row = sqlx::query("DELETE FROM sessions WHERE hash IN ($1, $2) RETURNING identity_id")
        .bind(plain)
        .bind(scoped)
        .fetch_optional(connection)
        .await?;
    let identity: Option<String> = row.map(|row| row.try_get("identity_id")).transpose()?.flatten();
    Ok(identity.is_some())
}

/// Forgets the sessions that have ended by then.
pub async fn delete_ended(connection: &mut AnyConnection, at: Instant) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE expires_at <= $1").bind(at.0).execute(connection).await.map(drop)
}
