//! Release pipelines of a project: ordered phases that a feature passes through.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{PipelineId, ProjectId};
use crate::domain::pipeline::Pipeline;
use crate::store::Result;
use crate::store::engine::columns::{id, json, parsed, signed, to_json, unsigned};

const COLUMNS: &str = "SELECT id, project_id, key, name, phases, revision FROM pipelines";

/// Adds a pipeline.
pub async fn insert(connection: &mut AnyConnection, pipeline: &Pipeline, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO pipelines (id, project_id, key, name, phases, revision, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(pipeline.id.as_str())
    .bind(pipeline.project_id.as_str())
    .bind(pipeline.key.as_str())
    .bind(pipeline.name.as_str())
    .bind(to_json(&pipeline.phases)?)
    .bind(signed(pipeline.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of a pipeline.
pub async fn update(connection: &mut AnyConnection, pipeline: &Pipeline) -> Result<()> {
    sqlx::query("UPDATE pipelines SET name = $1, phases = $2, revision = $3 WHERE id = $4")
        .bind(pipeline.name.as_str())
        .bind(to_json(&pipeline.phases)?)
        .bind(signed(pipeline.revision))
        .bind(pipeline.id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Deletes a pipeline that no feature is assigned to.
pub async fn delete(connection: &mut AnyConnection, id: &PipelineId) -> Result<()> {
    sqlx::query("DELETE FROM pipelines WHERE id = $1").bind(id.as_str()).execute(connection).await.map(drop)
}

/// The project's pipelines after a place in the list, by key.
pub async fn list(
    connection: &mut AnyConnection,
    project: &ProjectId,
    after: &str,
    limit: i64,
) -> Result<Vec<Pipeline>> {
    let rows =
        sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 AND key > $2 ORDER BY key LIMIT $3")))
            .bind(project.as_str())
            .bind(after)
            .bind(limit)
            .fetch_all(connection)
            .await?;
    rows.iter().map(pipeline).collect()
}

/// The project's pipeline of that key.
pub async fn find(connection: &mut AnyConnection, project: &ProjectId, key: &str) -> Result<Option<Pipeline>> {
    let row = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 AND key = $2")))
        .bind(project.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(pipeline).transpose()
}

/// The pipeline of that id.
pub async fn get(connection: &mut AnyConnection, id: &PipelineId) -> Result<Option<Pipeline>> {
    let row = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE id = $1")))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(pipeline).transpose()
}

fn pipeline(row: &AnyRow) -> Result<Pipeline> {
    Ok(Pipeline {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        phases: json(row, "phases")?,
        revision: unsigned(row, "revision")?,
    })
}
