//! One-time set-up links of invited people, stored as hashes.

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row as _};

use crate::domain::access_token::SetupLink;
use crate::domain::ids::{OrganisationId, UserId};
use crate::store::Result;
use crate::store::engine::columns::id;

/// Adds a link. The person's earlier links stop working.
pub async fn replace(connection: &mut AnyConnection, hash: &str, link: &SetupLink, at: Instant) -> Result<()> {
    sqlx::query("DELETE FROM setup_links WHERE user_id = $1 OR expires_at <= $2")
        .bind(link.user_id.as_str())
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO setup_links (hash, user_id, creator_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(hash)
    .bind(link.user_id.as_str())
    .bind(link.creator_id.as_str())
    .bind(at.0)
    .bind(link.expires_at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Ends the links of a person who can sign in from now on.
pub async fn delete_of(connection: &mut AnyConnection, user: &UserId) -> Result<()> {
    sqlx::query("DELETE FROM setup_links WHERE user_id = $1").bind(user.as_str()).execute(connection).await.map(drop)
}

/// The organisation of the link with this hash.
pub async fn organisation(connection: &mut AnyConnection, hash: &str) -> Result<Option<OrganisationId>> {
    let row =
        sqlx::query("SELECT u.organisation_id FROM setup_links l JOIN users u ON u.id = l.user_id WHERE l.hash = $1")
            .bind(hash)
            .fetch_optional(connection)
            .await?;
    row.map(|row| id(&row, "organisation_id")).transpose()
}

/// Takes the link with this hash away, if it is valid at this instant, so that it works once.
pub async fn take(connection: &mut AnyConnection, hash: &str, at: Instant) -> Result<Option<SetupLink>> {
    let row = sqlx::query(
        "DELETE FROM setup_links WHERE hash = $1 AND expires_at > $2 RETURNING user_id, creator_id, expires_at",
    )
    .bind(hash)
    .bind(at.0)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let expires_at = Instant(row.try_get("expires_at")?);
    Ok(Some(SetupLink { user_id: id(&row, "user_id")?, creator_id: id(&row, "creator_id")?, expires_at }))
}
