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

/// Adds a data key.
pub async fn insert(connection: &mut AnyConnection, key: &WrappedKey, at: Instant) -> Result<()> {
    sqlx::query("INSERT INTO data_keys (id, wrapped, created_at) VALUES ($1, $2, $3)")
        .bind(signed(key.id))
        .bind(key.wrapped.as_str())
        .bind(at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// All data keys, oldest first.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<WrappedKey>> {
    let rows = sqlx::query("SELECT id, wrapped FROM data_keys ORDER BY id").fetch_all(connection).await?;
    rows.iter().map(|row| Ok(WrappedKey { id: unsigned(row, "id")?, wrapped: row.try_get("wrapped")? })).collect()
}
