//! Data keys, each encrypted with the master key.

use flagservice_rules::Instant;
use sqlx::{AnyConnection, Row};

use super::Result;
use super::columns::{signed, unsigned};

/// A data key as it is stored.
pub struct WrappedKey {
    /// Its id; tokens name it.
    pub id: u64,
    /// The key, encrypted with the master key, in base64.
    pub wrapped: String,
}

/// The id of the first data key.
const FIRST: u64 = 1;

/// Takes the place of the first data key if it is free; another node that starts now waits until this transaction ends.
/// Says whether the place was taken, which only an empty database allows.
pub async fn claim_first(connection: &mut AnyConnection, at: Instant) -> Result<bool> {
    let claimed =
        sqlx::query("INSERT INTO data_keys (id, wrapped, created_at) VALUES ($1, '', $2) ON CONFLICT (id) DO NOTHING")
            .bind(signed(FIRST))
            .bind(at.0)
            .execute(connection)
            .await?;
    Ok(claimed.rows_affected() > 0)
}

/// Puts the first data key into the place that was claimed for it.
pub async fn put_first(connection: &mut AnyConnection, wrapped: &str) -> Result<()> {
    sqlx::query("UPDATE data_keys SET wrapped = $1 WHERE id = $2")
        .bind(wrapped)
        .bind(signed(FIRST))
        .execute(connection)
        .await
        .map(drop)
}

/// All data keys, oldest first.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<WrappedKey>> {
    let rows = sqlx::query("SELECT id, wrapped FROM data_keys ORDER BY id").fetch_all(connection).await?;
    rows.iter().map(|row| Ok(WrappedKey { id: unsigned(row, "id")?, wrapped: row.try_get("wrapped")? })).collect()
}
