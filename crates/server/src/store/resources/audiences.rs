//! Saved audiences of a project: for all of it, or limited to one environment.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::audience::{Audience, AudienceScope};
use crate::domain::ids::{AudienceId, ProjectId};
use crate::store::Result;
use crate::store::engine::columns::{id, json, parsed, signed, to_json, unsigned};
use crate::store::engine::readable::{Readable, Table};

const SELECT: &str = "SELECT id, project_id, environment_id, key, name, conditions, revision FROM audiences
     WHERE project_id = $1";

/// Adds an audience.
pub async fn insert(connection: &mut AnyConnection, audience: &Audience, at: Instant) -> Result<()> {
    let environment = match &audience.scope {
        AudienceScope::Project => None,
        AudienceScope::Environment(id) => Some(id.as_str()),
    };
    sqlx::query(
        "INSERT INTO audiences (id, project_id, environment_id, key, name, conditions, revision, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(audience.id.as_str())
    .bind(audience.project_id.as_str())
    .bind(environment)
    .bind(audience.key.as_str())
    .bind(audience.name.as_str())
    .bind(to_json(&audience.conditions)?)
    .bind(signed(audience.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// The project's audiences, by key.
pub async fn list(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<Audience>> {
    of_project(connection, project).await?.iter().map(audience).collect()
}

/// The project's audiences that can be read, by key. The others are named by their key in the project.
pub async fn list_readable(connection: &mut AnyConnection, project: &ProjectId) -> Result<Readable<Audience>> {
    Table("audiences", &["key"]).readable(&of_project(connection, project).await?, audience)
}

async fn of_project(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<AnyRow>> {
    sqlx::query(AssertSqlSafe(format!("{SELECT} ORDER BY key"))).bind(project.as_str()).fetch_all(connection).await
}

/// The project's audiences after a place in the list, by key.
pub async fn page(
    connection: &mut AnyConnection,
    project: &ProjectId,
    after: &str,
    limit: i64,
) -> Result<Vec<Audience>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND key > $2 ORDER BY key LIMIT $3")))
        .bind(project.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(audience).collect()
}

/// The project's audience of that key.
pub async fn find(connection: &mut AnyConnection, project: &ProjectId, key: &str) -> Result<Option<Audience>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} AND key = $2")))
        .bind(project.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(audience).transpose()
}

/// Writes what may change of an audience.
pub async fn update(connection: &mut AnyConnection, audience: &Audience) -> Result<()> {
    sqlx::query("UPDATE audiences SET name = $1, conditions = $2, revision = $3 WHERE id = $4")
        .bind(audience.name.as_str())
        .bind(to_json(&audience.conditions)?)
        .bind(signed(audience.revision))
        .bind(audience.id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Deletes an audience that no rule uses.
pub async fn delete(connection: &mut AnyConnection, id: &AudienceId) -> Result<()> {
    sqlx::query("DELETE FROM audiences WHERE id = $1").bind(id.as_str()).execute(connection).await.map(drop)
}

fn audience(row: &AnyRow) -> Result<Audience> {
    let environment: Option<String> = row.try_get("environment_id")?;
    Ok(Audience {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        scope: environment.map_or(AudienceScope::Project, |id| AudienceScope::Environment(id.into())),
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        conditions: json(row, "conditions")?,
        revision: unsigned(row, "revision")?,
    })
}
