//! Personal access tokens, stored as hashes.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::access_token::{AccessToken, Bearer, TokenRef};
use crate::domain::ids::{AccessTokenId, OrganisationId, UserId};
use crate::store::Result;
use crate::store::engine::columns::id;
use crate::store::resources::users::user;

/// How old the time of last use may be before it is written again, in milliseconds: a minute.
const LAST_USE_PRECISION_MS: i64 = 60_000;

const SELECT: &str =
    "SELECT t.id, t.user_id, t.creator_id, t.name, t.hash, t.hint, t.created_at, t.expires_at, t.last_used_at
     FROM access_tokens t JOIN users u ON u.id = t.user_id WHERE u.organisation_id = $1 AND t.revoked_at IS NULL";

/// Adds a token.
pub async fn insert(connection: &mut AnyConnection, token: &AccessToken) -> Result<()> {
    sqlx::query(
        "INSERT INTO access_tokens (id, user_id, creator_id, name, hash, hint, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(token.id.as_str())
    .bind(token.user_id.as_str())
    .bind(token.creator_id.as_ref().map(UserId::as_str))
    .bind(token.name.as_str())
    .bind(token.hash.as_str())
    .bind(token.hint.as_str())
    .bind(token.created_at.0)
    .bind(token.expires_at.map(|instant| instant.0))
    .execute(connection)
    .await
    .map(drop)
}

/// The tokens of the organisation's people after a place in the list, by id; of one person, if one is named.
pub async fn list(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    of: Option<&UserId>,
    after: &str,
    limit: i64,
) -> Result<Vec<AccessToken>> {
    let statement = format!("{SELECT} AND ($2 = '' OR t.user_id = $2) AND t.id > $3 ORDER BY t.id LIMIT $4");
    let rows = sqlx::query(AssertSqlSafe(statement))
        .bind(organisation.as_str())
        .bind(of.map_or("", UserId::as_str))
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(access_token).collect()
}

/// The organisation's token of that id.
pub async fn find(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    id: &str,
) -> Result<Option<AccessToken>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} AND t.id = $2")))
        .bind(organisation.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(access_token).transpose()
}

/// Revokes a token.
pub async fn revoke(connection: &mut AnyConnection, id: &AccessTokenId, at: Instant) -> Result<()> {
    sqlx::query("UPDATE access_tokens SET revoked_at = $1 WHERE id = $2")
        .bind(at.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Notes that a token was used.
pub async fn touch(connection: &mut AnyConnection, id: &AccessTokenId, at: Instant) -> Result<()> {
    sqlx::query("UPDATE access_tokens SET last_used_at = $1 WHERE id = $2")
        .bind(at.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// The person whose token has this hash and counts at this instant.
pub async fn bearer(connection: &mut AnyConnection, hash: &str, at: Instant) -> Result<Option<Bearer>> {
    let row = sqlx::query(
        "SELECT u.id, u.organisation_id, u.name, u.role, u.revision, t.id AS token_id, t.creator_id, t.last_used_at,
            t.expires_at
         FROM access_tokens t JOIN users u ON u.id = t.user_id
         WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)",
    )
    .bind(hash)
    .bind(at.0)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(|row| bearer_of(row, at)).transpose()
}

/// Reads who used a token at this instant.
pub(in crate::store) fn bearer_of(row: &AnyRow, at: Instant) -> Result<Bearer> {
    let last_used_at: Option<i64> = row.try_get("last_used_at")?;
    Ok(Bearer {
        user: user(row)?,
        token: TokenRef { id: id(row, "token_id")?, creator_id: creator(row)? },
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(Instant),
        touch: last_used_at.is_none_or(|last| at.0 - last >= LAST_USE_PRECISION_MS),
    })
}

fn creator(row: &AnyRow) -> Result<Option<UserId>> {
    Ok(row.try_get::<Option<String>, _>("creator_id")?.map(UserId::from))
}

fn access_token(row: &AnyRow) -> Result<AccessToken> {
    Ok(AccessToken {
        id: id(row, "id")?,
        user_id: id(row, "user_id")?,
        creator_id: creator(row)?,
        name: row.try_get("name")?,
        hash: row.try_get("hash")?,
        hint: row.try_get("hint")?,
        created_at: Instant(row.try_get("created_at")?),
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(Instant),
        last_used_at: row.try_get::<Option<i64>, _>("last_used_at")?.map(Instant),
    })
}
