//! Personal access tokens, stored as hashes.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::access_token::{AccessToken, Bearer, TokenRef};
use crate::domain::ids::{AccessTokenId, OrganisationId, UserId};
use crate::store::Result;
use crate::store::engine::columns::id;
use crate::store::resources::token_scopes::{self, stored_hash, stored_hashes};
use crate::store::resources::users::user;

/// How old the time of last use may be before it is written again, in milliseconds: a minute.
const LAST_USE_PRECISION_MS: i64 = 60_000;

const SELECT: &str =
    "SELECT t.id, t.user_id, t.creator_id, t.name, t.hash, t.hint, t.created_at, t.expires_at, t.last_used_at,
        t.access, t.limited
     FROM access_tokens t JOIN users u ON u.id = t.user_id WHERE u.organisation_id = $1 AND t.revoked_at IS NULL";

/// Adds a token.
pub async fn insert(connection: &mut AnyConnection, token: &AccessToken) -> Result<()> {
    let places = token.scope.as_ref().and_then(|scope| scope.places.as_ref());
    sqlx::query(
        "INSERT INTO access_tokens (id, user_id, creator_id, name, hash, hint, created_at, expires_at, access, limited)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(token.id.as_str())
    .bind(token.user_id.as_str())
    .bind(token.creator_id.as_ref().map(UserId::as_str))
    .bind(token.name.as_str())
    .bind(stored_hash(&token.hash, token.scope.as_ref()))
    .bind(token.hint.as_str())
    .bind(token.created_at.0)
    .bind(token.expires_at.map(|instant| instant.0))
    .bind(token.scope.as_ref().map(|scope| scope.access.as_str()))
    .bind(i64::from(places.is_some()))
    .execute(&mut *connection)
    .await?;
    token_scopes::insert(connection, &token.id, places.map_or(&[], Vec::as_slice)).await
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
        .fetch_all(&mut *connection)
        .await?;
    let mut tokens = rows.iter().map(access_token).collect::<Result<Vec<_>>>()?;
    token_scopes::read_places_of_all(connection, &mut tokens).await?;
    Ok(tokens)
}

/// The names of a person's tokens that count at this instant, oldest first.
pub async fn names_of(connection: &mut AnyConnection, user: &UserId, at: Instant) -> Result<Vec<String>> {
    sqlx::query_scalar(
        "SELECT name FROM access_tokens WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
         ORDER BY id",
    )
    .bind(user.as_str())
    .bind(at.0)
    .fetch_all(connection)
    .await
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
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let mut token = access_token(&row)?;
    if let Some(scope) = &mut token.scope {
        token_scopes::read_places(connection, &token.id, scope).await?;
    }
    Ok(Some(token))
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
    let [plain, scoped] = stored_hashes(hash);
    let row = sqlx::query(
        "SELECT u.id, u.organisation_id, u.name, u.role, u.revision, t.id AS token_id, t.creator_id, t.last_used_at,
            t.expires_at, t.access, t.limited
         FROM access_tokens t JOIN users u ON u.id = t.user_id
         WHERE t.hash IN ($1, $2) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $3)",
    )
    .bind(plain)
    .bind(scoped)
    .bind(at.0)
    .fetch_optional(&mut *connection)
    .await?;
    match row {
        None => Ok(None),
        Some(row) => bearer_of(connection, &row, at).await.map(Some),
    }
}

/// Reads who used a token at this instant.
pub(in crate::store) async fn bearer_of(connection: &mut AnyConnection, row: &AnyRow, at: Instant) -> Result<Bearer> {
    let last_used_at: Option<i64> = row.try_get("last_used_at")?;
    let token = TokenRef { id: id(row, "token_id")?, creator_id: creator(row)? };
    let mut scope = token_scopes::without_places(row)?;
    if let Some(scope) = &mut scope {
        token_scopes::read_places(connection, &token.id, scope).await?;
    }
    Ok(Bearer {
        user: user(row)?,
        token,
        scope,
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
        scope: token_scopes::without_places(row)?,
    })
}
