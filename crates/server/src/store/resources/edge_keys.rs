//! Edge keys of a project, stored as hashes, with the environments that they are limited to.

use std::collections::HashMap;

use flagservice_core::Key;
use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::edge_key::EdgeKey;
use crate::domain::ids::{EdgeKeyId, EnvironmentId, ProjectId};
use crate::store::Result;
use crate::store::engine::columns::{boolean, id, parsed};
use crate::store::engine::placeholders::placeholders;

const SELECT: &str = "SELECT id, project_id, name, hash, hint, limited, created_at, last_used_at FROM edge_keys
     WHERE project_id = $1 AND revoked_at IS NULL";

/// Adds a key.
pub async fn insert(connection: &mut AnyConnection, key: &EdgeKey) -> Result<()> {
    sqlx::query(
        "INSERT INTO edge_keys (id, project_id, name, hash, hint, limited, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(key.id.as_str())
    .bind(key.project_id.as_str())
    .bind(key.name.as_str())
    .bind(key.hash.as_str())
    .bind(key.hint.as_str())
    .bind(i64::from(key.environments.is_some()))
    .bind(key.created_at.0)
    .execute(&mut *connection)
    .await?;
    for (environment, _) in key.environments.iter().flatten() {
        sqlx::query("INSERT INTO edge_key_environments (key_id, environment_id) VALUES ($1, $2)")
            .bind(key.id.as_str())
            .bind(environment.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The project's keys that count after a place in the list, oldest first.
pub async fn page(
    connection: &mut AnyConnection,
    project: &ProjectId,
    after: &str,
    limit: i64,
) -> Result<Vec<EdgeKey>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND id > $2 ORDER BY id LIMIT $3")))
        .bind(project.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(&mut *connection)
        .await?;
    with_environments(connection, &rows).await
}

/// The project's key of that id, if it counts.
pub async fn find(connection: &mut AnyConnection, project: &ProjectId, id: &str) -> Result<Option<EdgeKey>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND id = $2")))
        .bind(project.as_str())
        .bind(id)
        .fetch_all(&mut *connection)
        .await?;
    Ok(with_environments(connection, &rows).await?.pop())
}

/// Ids and hashes of the keys that count and give access to the environment, oldest first.
pub async fn of_environment(
    connection: &mut AnyConnection,
    project: &ProjectId,
    environment: &EnvironmentId,
) -> Result<Vec<(EdgeKeyId, String)>> {
    let rows = sqlx::query(
        "SELECT k.id, k.hash FROM edge_keys k WHERE k.project_id = $1 AND k.revoked_at IS NULL AND (k.limited = 0
            OR EXISTS (SELECT 1 FROM edge_key_environments e WHERE e.key_id = k.id AND e.environment_id = $2))
         ORDER BY k.id",
    )
    .bind(project.as_str())
    .bind(environment.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((id(row, "id")?, row.try_get("hash")?))).collect()
}

/// Whether a key with this hash counts and gives access to an environment.
pub async fn has_access(connection: &mut AnyConnection, hash: &str) -> Result<bool> {
    let found = sqlx::query(
        "SELECT k.id FROM edge_keys k JOIN environments e ON e.project_id = k.project_id
         WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.limited = 0
            OR EXISTS (SELECT 1 FROM edge_key_environments l WHERE l.key_id = k.id AND l.environment_id = e.id))
         LIMIT 1",
    )
    .bind(hash)
    .fetch_optional(connection)
    .await?;
    Ok(found.is_some())
}

/// Revokes a key.
pub async fn revoke(connection: &mut AnyConnection, id: &EdgeKeyId, at: Instant) -> Result<()> {
    sqlx::query("UPDATE edge_keys SET revoked_at = $1 WHERE id = $2")
        .bind(at.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Notes that a key was used. Another node may have noted a later use.
pub async fn touch(connection: &mut AnyConnection, id: &EdgeKeyId, at: Instant) -> Result<()> {
    sqlx::query("UPDATE edge_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)")
        .bind(at.0)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Reads keys, with the environments of those that are limited.
async fn with_environments(connection: &mut AnyConnection, rows: &[AnyRow]) -> Result<Vec<EdgeKey>> {
    let mut keys = rows.iter().map(edge_key).collect::<Result<Vec<_>>>()?;
    let limited: Vec<_> = keys.iter().filter(|key| key.environments.is_some()).map(|key| key.id.clone()).collect();
    let mut environments = environments_of(connection, &limited).await?;
    for key in &mut keys {
        if let Some(included) = environments.remove(&key.id) {
            key.environments = Some(included);
        }
    }
    Ok(keys)
}

async fn environments_of(
    connection: &mut AnyConnection,
    keys: &[EdgeKeyId],
) -> Result<HashMap<EdgeKeyId, Vec<(EnvironmentId, Key)>>> {
    let mut all: HashMap<EdgeKeyId, Vec<_>> = HashMap::new();
    if keys.is_empty() {
        return Ok(all);
    }
    let mut query = sqlx::query(AssertSqlSafe(format!(
        "SELECT l.key_id, e.id, e.key FROM edge_key_environments l JOIN environments e ON e.id = l.environment_id
         WHERE l.key_id IN {} ORDER BY e.position",
        placeholders(1, keys.len())
    )));
    for key in keys {
        query = query.bind(key.as_str());
    }
    for row in query.fetch_all(connection).await? {
        all.entry(id(&row, "key_id")?).or_default().push((id(&row, "id")?, parsed(&row, "key")?));
    }
    Ok(all)
}

/// Reads a key, without its environments.
fn edge_key(row: &AnyRow) -> Result<EdgeKey> {
    Ok(EdgeKey {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        name: row.try_get("name")?,
        hash: row.try_get("hash")?,
        hint: row.try_get("hint")?,
        environments: boolean(row, "limited")?.then(Vec::new),
        created_at: Instant(row.try_get("created_at")?),
        last_used_at: row.try_get::<Option<i64>, _>("last_used_at")?.map(Instant),
    })
}
