//! Environments of a project, with the epoch and version that clients compare.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::environment::Environment;
use crate::domain::ids::{EnvironmentId, ProjectId};
use crate::store::Result;
use crate::store::engine::columns::{boolean, corrupt, id, json, parsed, signed, to_json, unsigned};
use crate::store::engine::readable::{Readable, Table};

const COLUMNS: &str = "SELECT id, project_id, key, name, production, approval_required, allowed_origins, revision,
     position, epoch, version FROM environments";

/// Adds an environment.
pub async fn insert(connection: &mut AnyConnection, environment: &Environment, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO environments (id, project_id, key, name, production, approval_required, allowed_origins, revision,
            position, epoch, version, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(environment.id.as_str())
    .bind(environment.project_id.as_str())
    .bind(environment.key.as_str())
    .bind(environment.name.as_str())
    .bind(i64::from(environment.production))
    .bind(i64::from(environment.approval_required))
    .bind(to_json(&environment.allowed_origins)?)
    .bind(signed(environment.revision))
    .bind(signed(environment.position))
    .bind(epoch_text(environment.epoch))
    .bind(signed(environment.version))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of an environment.
pub async fn update(connection: &mut AnyConnection, environment: &Environment) -> Result<()> {
    sqlx::query(
        "UPDATE environments SET name = $1, production = $2, approval_required = $3, allowed_origins = $4, revision = $5
         WHERE id = $6",
    )
    .bind(environment.name.as_str())
    .bind(i64::from(environment.production))
    .bind(i64::from(environment.approval_required))
    .bind(to_json(&environment.allowed_origins)?)
    .bind(signed(environment.revision))
    .bind(environment.id.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// Deletes an environment with all that belongs to it alone.
pub async fn delete(connection: &mut AnyConnection, id: &EnvironmentId) -> Result<()> {
    if connection.backend_name() == "PostgreSQL" {
        // Goals come in without asking. From here on those that refer to the environment wait, and then find it gone.
        let lock = "SELECT id FROM environments WHERE id = $1 FOR UPDATE";
        sqlx::query(lock).bind(id.as_str()).execute(&mut *connection).await?;
    }
    for statement in [
        "DELETE FROM targetings WHERE environment_id = $1",
        "DELETE FROM outbox WHERE environment_id = $1",
        "DELETE FROM goals WHERE environment_id = $1",
        "DELETE FROM goal_keys WHERE environment_id = $1",
        "DELETE FROM sdk_keys WHERE environment_id = $1",
        "DELETE FROM environments WHERE id = $1",
    ] {
        sqlx::query(statement).bind(id.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The project's environments, in their order.
pub async fn list(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<Environment>> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 ORDER BY position")))
        .bind(project.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(environment).collect()
}

/// The project's environments after a position, in their order. No two of a project have the same.
pub async fn page(
    connection: &mut AnyConnection,
    project: &ProjectId,
    after: i64,
    limit: i64,
) -> Result<Vec<Environment>> {
    let statement = format!("{COLUMNS} WHERE project_id = $1 AND position > $2 ORDER BY position LIMIT $3");
    let rows = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(project.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(environment).collect()
}

/// The project's environment of that key.
pub async fn find(connection: &mut AnyConnection, project: &ProjectId, key: &str) -> Result<Option<Environment>> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 AND key = $2")))
        .bind(project.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(environment).transpose()
}

/// The environment of that id.
pub async fn get(connection: &mut AnyConnection, id: &EnvironmentId) -> Result<Option<Environment>> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("{COLUMNS} WHERE id = $1")))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(environment).transpose()
}

/// Epoch and version of every environment.
pub async fn versions(connection: &mut AnyConnection) -> Result<Readable<(EnvironmentId, u64, u64)>> {
    let rows = sqlx::query("SELECT id, epoch, version FROM environments").fetch_all(connection).await?;
    Table("environments", &["id"]).readable(&rows, |row| Ok((id(row, "id")?, epoch(row)?, unsigned(row, "version")?)))
}

/// Begins another epoch of the environment.
pub async fn set_epoch(connection: &mut AnyConnection, id: &EnvironmentId, epoch: u64) -> Result<()> {
    sqlx::query("UPDATE environments SET epoch = $1 WHERE id = $2")
        .bind(epoch_text(epoch))
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

fn epoch_text(epoch: u64) -> String {
    format!("{epoch:016x}")
}

/// Raises the version and returns the new one. The row stays locked until the transaction ends, so that versions are
/// in commit order.
pub(in crate::store) async fn raise_version(connection: &mut AnyConnection, id: &EnvironmentId) -> Result<u64> {
    let row = sqlx::query("UPDATE environments SET version = version + 1 WHERE id = $1 RETURNING version")
        .bind(id.as_str())
        .fetch_one(connection)
        .await?;
    unsigned(&row, "version")
}

fn environment(row: &AnyRow) -> Result<Environment> {
    Ok(Environment {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        production: boolean(row, "production")?,
        approval_required: boolean(row, "approval_required")?,
        allowed_origins: json(row, "allowed_origins")?,
        revision: unsigned(row, "revision")?,
        position: unsigned(row, "position")?,
        epoch: epoch(row)?,
        version: unsigned(row, "version")?,
    })
}

fn epoch(row: &AnyRow) -> Result<u64> {
    let text: String = row.try_get("epoch")?;
    u64::from_str_radix(&text, 16).map_err(|cause| corrupt("epoch", cause))
}
