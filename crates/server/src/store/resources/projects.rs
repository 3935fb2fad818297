//! Projects of an organisation.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{OrganisationId, ProjectId};
use crate::domain::project::Project;
use crate::store::Result;
use crate::store::engine::columns::{id, parsed, signed, unsigned};

const SELECT: &str = "SELECT id, organisation_id, key, name, revision FROM projects WHERE organisation_id = $1";

/// Adds a project.
pub async fn insert(connection: &mut AnyConnection, project: &Project, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO projects (id, organisation_id, key, name, revision, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(project.id.as_str())
    .bind(project.organisation_id.as_str())
    .bind(project.key.as_str())
    .bind(project.name.as_str())
    .bind(signed(project.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of a project.
pub async fn update(connection: &mut AnyConnection, project: &Project) -> Result<()> {
    sqlx::query("UPDATE projects SET name = $1, revision = $2 WHERE id = $3")
        .bind(project.name.as_str())
        .bind(signed(project.revision))
        .bind(project.id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Deletes a project that nothing belongs to.
pub async fn delete(connection: &mut AnyConnection, id: &ProjectId) -> Result<()> {
    sqlx::query("DELETE FROM projects WHERE id = $1").bind(id.as_str()).execute(connection).await.map(drop)
}

/// The organisation's project of that key. Other writers of the project wait until this transaction ends, so that what is read now
/// is still so then.
pub async fn lock(connection: &mut AnyConnection, organisation: &OrganisationId, key: &str) -> Result<Option<Project>> {
    let row = sqlx::query(
        "UPDATE projects SET revision = revision WHERE organisation_id = $1 AND key = $2
         RETURNING id, organisation_id, key, name, revision",
    )
    .bind(organisation.as_str())
    .bind(key)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(project).transpose()
}

/// The organisation's projects after a place in the list, by key.
pub async fn list(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    after: &str,
    limit: i64,
) -> Result<Vec<Project>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND key > $2 ORDER BY key LIMIT $3")))
        .bind(organisation.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(project).collect()
}

/// The organisation's project of that key.
pub async fn find(connection: &mut AnyConnection, organisation: &OrganisationId, key: &str) -> Result<Option<Project>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} AND key = $2")))
        .bind(organisation.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(project).transpose()
}

fn project(row: &AnyRow) -> Result<Project> {
    Ok(Project {
        id: id(row, "id")?,
        organisation_id: id(row, "organisation_id")?,
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        revision: unsigned(row, "revision")?,
    })
}
