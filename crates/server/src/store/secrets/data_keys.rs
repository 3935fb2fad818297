//! Data keys, each encrypted with the master key.

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row};

use crate::store::Result;
use crate::store::engine::columns::{signed, unsigned};

/// A data key as it is stored.
pub struct WrappedKey {
    /// Its id; tokens name it.
    pub id: u64,
    /// The key, encrypted with the master key, in base64.
    pub wrapped: String,
    /// When it was made.
    pub created_at: Instant,
}

/// The id of the first data key.
pub const FIRST: u64 = 1;

/// Takes the place of the first data key if there is none; another node that starts now waits until this transaction ends.
/// Says whether the place was taken, which only an empty database allows.
pub async fn claim_first(connection: &mut AnyConnection, at: Instant) -> Result<bool> {
    let claimed = sqlx::query(
        "INSERT INTO data_keys (id, wrapped, created_at) SELECT CAST($1 AS BIGINT), '', CAST($2 AS BIGINT) \
         WHERE NOT EXISTS (SELECT 1 FROM data_keys) ON CONFLICT (id) DO NOTHING",
    )
    .bind(signed(FIRST))
    .bind(at.0)
    .execute(connection)
    .await?;
    Ok(claimed.rows_affected() > 0)
}

/// Makes other key changes wait until this transaction ends. Readers do not wait.
pub async fn lock(connection: &mut AnyConnection) -> Result<()> {
    sqlx::query("UPDATE data_keys SET created_at = created_at").execute(connection).await.map(drop)
}

/// Adds a data key.
pub async fn insert(connection: &mut AnyConnection, id: u64, wrapped: &str, at: Instant) -> Result<()> {
    sqlx::query("INSERT INTO data_keys (id, wrapped, created_at) VALUES ($1, $2, $3)")
        .bind(signed(id))
        .bind(wrapped)
        .bind(at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// Puts a wrapped key into the place of this id.
pub async fn put(connection: &mut AnyConnection, id: u64, wrapped: &str) -> Result<()> {
    sqlx::query("UPDATE data_keys SET wrapped = $1 WHERE id = $2")
        .bind(wrapped)
        .bind(signed(id))
        .execute(connection)
        .await
        .map(drop)
}

/// Removes a data key: what it encrypted can no longer be read.
pub async fn remove(connection: &mut AnyConnection, id: u64) -> Result<()> {
    sqlx::query("DELETE FROM data_keys WHERE id = $1").bind(signed(id)).execute(connection).await.map(drop)
}

/// The id of the newest data key; 0 when there is none.
pub async fn newest(connection: &mut AnyConnection) -> Result<u64> {
    let row = sqlx::query("SELECT COALESCE(MAX(id), 0) AS id FROM data_keys").fetch_one(connection).await?;
    unsigned(&row, "id")
}

/// All data keys, oldest first.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<WrappedKey>> {
    let rows = sqlx::query("SELECT id, wrapped, created_at FROM data_keys ORDER BY id").fetch_all(connection).await?;
    let key = |row| {
        let created_at = Instant(Row::try_get(row, "created_at")?);
        Ok(WrappedKey { id: unsigned(row, "id")?, wrapped: row.try_get("wrapped")?, created_at })
    };
    rows.iter().map(key).collect()
}
