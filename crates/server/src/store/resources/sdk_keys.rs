//! Client keys and server keys of an environment, stored as hashes: a copy of the database shows none that works.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{EnvironmentId, SdkKeyId};
use crate::domain::sdk_key::{KeyKind, SdkKey};
use crate::store::Result;
use crate::store::engine::columns::{id, parsed};
use crate::store::engine::readable::{Readable, Table};

/// Adds a key.
pub async fn insert(connection: &mut AnyConnection, key: &SdkKey) -> Result<()> {
    sqlx::query(
        "INSERT INTO sdk_keys (id, environment_id, kind, name, hash, hint, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(key.id.as_str())
    .bind(key.environment_id.as_str())
    .bind(key.kind.as_str())
    .bind(key.name.as_str())
    .bind(key.hash.as_str())
    .bind(key.hint.as_str())
    .bind(key.created_at.0)
    .execute(connection)
    .await
    .map(drop)
}

const SELECT: &str = "SELECT id, environment_id, kind, name, hash, hint, created_at, last_used_at FROM sdk_keys
     WHERE environment_id = $1 AND revoked_at IS NULL";

/// The environment's keys that count and can be read, oldest first.
pub async fn list(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Readable<SdkKey>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} ORDER BY id")))
        .bind(environment.as_str())
        .fetch_all(connection)
        .await?;
    Table("sdk_keys", &["id"]).readable(&rows, sdk_key)
}

/// The environment's keys of a kind that count after a place in the list, oldest first.
pub async fn page(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    kind: KeyKind,
    after: &str,
    limit: i64,
) -> Result<Vec<SdkKey>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND kind = $2 AND id > $3 ORDER BY id LIMIT $4")))
        .bind(environment.as_str())
        .bind(kind.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(sdk_key).collect()
}

/// Revokes a key.
pub async fn revoke(connection: &mut AnyConnection, id: &SdkKeyId, at: Instant) -> Result<()> {
    sqlx::query("UPDATE sdk_keys SET revoked_at = $1 WHERE id = $2")
        .bind(at.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Notes that a key was used. Another node may have noted a later use.
pub async fn touch(connection: &mut AnyConnection, id: &SdkKeyId, at: Instant) -> Result<()> {
    sqlx::query("UPDATE sdk_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)")
        .bind(at.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

fn sdk_key(row: &AnyRow) -> Result<SdkKey> {
    Ok(SdkKey {
        id: id(row, "id")?,
        environment_id: id(row, "environment_id")?,
        kind: parsed(row, "kind")?,
        name: row.try_get("name")?,
        hash: row.try_get("hash")?,
        hint: row.try_get("hint")?,
        created_at: Instant(row.try_get("created_at")?),
        last_used_at: row.try_get::<Option<i64>, _>("last_used_at")?.map(Instant),
    })
}
