//! Client keys of an environment, stored as hashes: a key is public, but a copy of the database shows none.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::Result;
use super::columns::id;
use crate::ids::{ClientKeyId, EnvironmentId};

/// A client key.
#[derive(Clone, Debug)]
pub struct ClientKey {
    /// Its id.
    pub id: ClientKeyId,
    /// The one environment that it reads.
    pub environment_id: EnvironmentId,
    /// For people.
    pub name: String,
    /// Of the key's text.
    pub hash: String,
    /// The key's last characters, by which people tell keys apart.
    pub hint: String,
}

/// Adds a key.
pub async fn insert(connection: &mut AnyConnection, key: &ClientKey, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO client_keys (id, environment_id, name, hash, hint, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(key.id.as_str())
    .bind(key.environment_id.as_str())
    .bind(key.name.as_str())
    .bind(key.hash.as_str())
    .bind(key.hint.as_str())
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// The environment's keys that count, oldest first.
pub async fn list(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<Vec<ClientKey>> {
    let rows = sqlx::query(
        "SELECT id, environment_id, name, hash, hint FROM client_keys
         WHERE environment_id = $1 AND revoked_at IS NULL ORDER BY id",
    )
    .bind(environment.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(client_key).collect()
}

/// Revokes the environment's key of that id; false when there is none that counts.
pub async fn revoke(
    connection: &mut AnyConnection,
    environment: &EnvironmentId,
    id: &str,
    at: Instant,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE client_keys SET revoked_at = $1 WHERE environment_id = $2 AND id = $3 AND revoked_at IS NULL",
    )
    .bind(at.0)
    .bind(environment.as_str())
    .bind(id)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

fn client_key(row: &AnyRow) -> Result<ClientKey> {
    Ok(ClientKey {
        id: id(row, "id")?,
        environment_id: id(row, "environment_id")?,
        name: row.try_get("name")?,
        hash: row.try_get("hash")?,
        hint: row.try_get("hint")?,
    })
}
