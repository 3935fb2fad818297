//! What requests with an `Idempotency-Key` were answered, committed with their effect.

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row};

use crate::domain::changes::idempotency::{Answer, Record};
use crate::domain::ids::UserId;
use crate::store::Result;
use crate::store::engine::columns::{corrupt, signed};

/// Takes the key for this transaction; false when a request had it before. Another transaction with the same key waits.
pub async fn claim(
    connection: &mut AnyConnection,
    user: &UserId,
    key: &str,
    request_hash: &str,
    at: Instant,
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO idempotency_records (user_id, key, request_hash, status, body, created_at)
         VALUES ($1, $2, $3, 0, '', $4) ON CONFLICT (user_id, key) DO NOTHING",
    )
    .bind(user.as_str())
    .bind(key)
    .bind(request_hash)
    .bind(at.0)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// What the request with this key was answered.
pub async fn find(connection: &mut AnyConnection, user: &UserId, key: &str) -> Result<Option<Record>> {
    let row = sqlx::query(
        "SELECT request_hash, status, body, version, created_at FROM idempotency_records WHERE user_id = $1 AND key = $2",
    )
    .bind(user.as_str())
    .bind(key)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let status = u16::try_from(row.try_get::<i64, _>("status")?).map_err(|cause| corrupt("status", cause))?;
        let version: Option<i64> = row.try_get("version")?;
        let version = version.map(u64::try_from).transpose().map_err(|cause| corrupt("version", cause))?;
        let at = Instant(row.try_get("created_at")?);
        Ok(Record { request_hash: row.try_get("request_hash")?, status, body: row.try_get("body")?, version, at })
    })
    .transpose()
}

/// Keeps the answer of the request that took the key.
pub async fn keep(
    connection: &mut AnyConnection,
    user: &UserId,
    key: &str,
    Answer { status, body, version }: Answer<'_>,
) -> Result<()> {
    sqlx::query("UPDATE idempotency_records SET status = $1, body = $2, version = $3 WHERE user_id = $4 AND key = $5")
        .bind(signed(u64::from(status)))
        .bind(body)
        .bind(version.map(signed))
        .bind(user.as_str())
        .bind(key)
        .execute(connection)
        .await
        .map(drop)
}

/// Keeps what the unfinished request has done; false when that is not what it had done before.
pub async fn advance(
    connection: &mut AnyConnection,
    user: &UserId,
    key: &str,
    before: &str,
    done: &str,
) -> Result<bool> {
    let advanced = sqlx::query(
        "UPDATE idempotency_records SET body = $1 WHERE user_id = $2 AND key = $3 AND status = 0 AND body = $4",
    )
    .bind(done)
    .bind(user.as_str())
    .bind(key)
    .bind(before)
    .execute(connection)
    .await?;
    Ok(advanced.rows_affected() > 0)
}

/// Gives the key back: the request was refused, and may be sent again.
pub async fn release(connection: &mut AnyConnection, user: &UserId, key: &str) -> Result<()> {
    sqlx::query("DELETE FROM idempotency_records WHERE user_id = $1 AND key = $2")
        .bind(user.as_str())
        .bind(key)
        .execute(connection)
        .await
        .map(drop)
}

/// Forgets what the request with this key was answered, if that was before an instant.
pub async fn forget(connection: &mut AnyConnection, user: &UserId, key: &str, before: Instant) -> Result<()> {
    sqlx::query("DELETE FROM idempotency_records WHERE user_id = $1 AND key = $2 AND created_at < $3")
        .bind(user.as_str())
        .bind(key)
        .bind(before.0)
        .execute(connection)
        .await
        .map(drop)
}
