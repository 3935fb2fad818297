//! Personal access tokens, stored as hashes.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::Result;
use super::columns::{id, parsed};
use super::organisations::User;
use crate::ids::{AccessTokenId, UserId};

/// A token as it is stored.
pub struct NewAccessToken<'a> {
    /// Its id.
    pub id: AccessTokenId,
    /// Whose it is.
    pub user_id: &'a UserId,
    /// What the person calls it.
    pub name: &'a str,
    /// Of the token's text.
    pub hash: &'a str,
    /// When it stops counting; never without.
    pub expires_at: Option<Instant>,
}

/// Adds a token.
pub async fn insert(connection: &mut AnyConnection, token: &NewAccessToken<'_>, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO access_tokens (id, user_id, name, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token.id.as_str())
    .bind(token.user_id.as_str())
    .bind(token.name)
    .bind(token.hash)
    .bind(at.0)
    .bind(token.expires_at.map(|instant| instant.0))
    .execute(connection)
    .await
    .map(drop)
}

/// The person whose token has this hash and counts at this instant.
pub async fn user_of(connection: &mut AnyConnection, hash: &str, at: Instant) -> Result<Option<User>> {
    let row = sqlx::query(
        "SELECT u.id, u.organisation_id, u.name, u.role FROM access_tokens t JOIN users u ON u.id = t.user_id
         WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)",
    )
    .bind(hash)
    .bind(at.0)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(user).transpose()
}

fn user(row: &AnyRow) -> Result<User> {
    Ok(User {
        id: id(row, "id")?,
        organisation_id: id(row, "organisation_id")?,
        name: row.try_get("name")?,
        role: parsed(row, "role")?,
    })
}
