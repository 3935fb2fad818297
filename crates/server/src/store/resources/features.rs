//! Features of a project.

use std::collections::HashSet;

use flagservice_core::Key;
use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::feature::{Feature, FeatureFilter, Lifecycle, ValueType};
use crate::domain::ids::{EnvironmentId, FeatureId, PipelineId, ProjectId, UserId};
use crate::store::Result;
use crate::store::engine::columns::{boolean, corrupt, id, json, parsed, signed, to_json, unsigned};
use crate::store::engine::placeholders::placeholders;
use crate::store::engine::readable::{Readable, Table};
use crate::store::resources::evaluations;

const COLUMNS: &str = "SELECT id, project_id, key, name, description, lifecycle, salt, variants, type, tags,
     owner_id, approval_required, pipeline_id, phase_environment_id, revision FROM features";

/// Adds a feature.
pub async fn insert(connection: &mut AnyConnection, feature: &Feature, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO features (id, project_id, key, name, description, lifecycle, salt, variants, type, tags,
            owner_id, approval_required, pipeline_id, phase_environment_id, revision, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(feature.id.as_str())
    .bind(feature.project_id.as_str())
    .bind(feature.key.as_str())
    .bind(feature.name.as_str())
    .bind(feature.description.as_str())
    .bind(feature.lifecycle.as_str())
    .bind(feature.salt.as_str())
    .bind(to_json(&feature.variants)?)
    .bind(feature.value_type.as_str())
    .bind(to_json(&feature.tags)?)
    .bind(feature.owner_id.as_ref().map(UserId::as_str))
    .bind(i64::from(feature.approval_required))
    .bind(feature.pipeline_id.as_ref().map(PipelineId::as_str))
    .bind(feature.phase_environment_id.as_ref().map(EnvironmentId::as_str))
    .bind(signed(feature.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of a feature.
pub async fn update(connection: &mut AnyConnection, feature: &Feature) -> Result<()> {
    sqlx::query(
        "UPDATE features SET name = $1, description = $2, lifecycle = $3, variants = $4, type = $5,
            tags = $6, owner_id = $7, approval_required = $8, pipeline_id = $9, phase_environment_id = $10, revision = $11
         WHERE id = $12",
    )
    .bind(feature.name.as_str())
    .bind(feature.description.as_str())
    .bind(feature.lifecycle.as_str())
    .bind(to_json(&feature.variants)?)
    .bind(feature.value_type.as_str())
    .bind(to_json(&feature.tags)?)
    .bind(feature.owner_id.as_ref().map(UserId::as_str))
    .bind(i64::from(feature.approval_required))
    .bind(feature.pipeline_id.as_ref().map(PipelineId::as_str))
    .bind(feature.phase_environment_id.as_ref().map(EnvironmentId::as_str))
    .bind(signed(feature.revision))
    .bind(feature.id.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// The features that a person looks after, by the keys of their projects and their own.
pub async fn owned_by(connection: &mut AnyConnection, owner: &UserId) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(
        "SELECT p.key AS project_key, f.key FROM features f JOIN projects p ON p.id = f.project_id
         WHERE f.owner_id = $1 ORDER BY p.key, f.key",
    )
    .bind(owner.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("project_key")?, row.try_get("key")?))).collect()
}

/// Takes the owner away from all features that a person looks after.
pub async fn clear_owner(connection: &mut AnyConnection, owner: &UserId) -> Result<()> {
    sqlx::query("UPDATE features SET owner_id = NULL, revision = revision + 1 WHERE owner_id = $1")
        .bind(owner.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Deletes a feature with its targetings and what was counted of it.
pub async fn delete(connection: &mut AnyConnection, id: &FeatureId) -> Result<()> {
    evaluations::remove(connection, id).await?;
    for statement in ["DELETE FROM targetings WHERE feature_id = $1", "DELETE FROM features WHERE id = $1"] {
        sqlx::query(statement).bind(id.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The project's features after a place in the list, by key; of one lifecycle status or with one tag, if these are named.
pub async fn page(
    connection: &mut AnyConnection,
    project: &ProjectId,
    filter: &FeatureFilter<'_>,
    after: &str,
    limit: i64,
) -> Result<Vec<Feature>> {
    // A quote within a text is escaped, so that only a whole tag stands between these. LIKE minds the case of letters on
    // one of the databases alone.
    let (first, later) = match filter.tag {
        None => Default::default(),
        Some(tag) => (format!("[{}", to_json(&tag)?), format!(",{}", to_json(&tag)?)),
    };
    let statement = format!(
        "{COLUMNS} WHERE project_id = $1 AND key > $2 AND ($3 = '' OR lifecycle = $3)
            AND ($4 = '' OR REPLACE(tags, $4, '') <> tags OR REPLACE(tags, $5, '') <> tags) ORDER BY key LIMIT $6"
    );
    let rows = sqlx::query(AssertSqlSafe(statement))
        .bind(project.as_str())
        .bind(after)
        .bind(filter.lifecycle.map_or("", Lifecycle::as_str))
        .bind(first)
        .bind(later)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(feature).collect()
}

/// The project's features, by key.
pub async fn list(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<Feature>> {
    of_project(connection, project).await?.iter().map(feature).collect()
}

/// The project's features that can be read, by key.
pub async fn list_readable(connection: &mut AnyConnection, project: &ProjectId) -> Result<Readable<Feature>> {
    Table("features", &["id"]).readable(&of_project(connection, project).await?, feature)
}

async fn of_project(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<AnyRow>> {
    sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 ORDER BY key")))
        .bind(project.as_str())
        .fetch_all(connection)
        .await
}

/// The keys of the project's features.
pub async fn keys(connection: &mut AnyConnection, project: &ProjectId) -> Result<HashSet<String>> {
    let keys = sqlx::query_scalar("SELECT key FROM features WHERE project_id = $1").bind(project.as_str());
    Ok(keys.fetch_all(connection).await?.into_iter().collect())
}

/// The project's feature of that key.
pub async fn find(connection: &mut AnyConnection, project: &ProjectId, key: &str) -> Result<Option<Feature>> {
    let row = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 AND key = $2")))
        .bind(project.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(feature).transpose()
}

/// The feature of that id.
pub async fn get(connection: &mut AnyConnection, id: &FeatureId) -> Result<Option<Feature>> {
    let row = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE id = $1")))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(feature).transpose()
}

/// The features of those ids, in any order.
pub async fn list_of(connection: &mut AnyConnection, ids: &[&FeatureId]) -> Result<Vec<Feature>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE id IN {}", placeholders(1, ids.len()))));
    for id in ids {
        query = query.bind(id.as_str());
    }
    query.fetch_all(connection).await?.iter().map(feature).collect()
}

fn feature(row: &AnyRow) -> Result<Feature> {
    let variants: Vec<Key> = json(row, "variants")?;
    let value_type = match row.try_get::<Option<String>, _>("type")? {
        None => ValueType::of(&variants),
        Some(text) => ValueType::try_from(text).map_err(|cause| corrupt("type", cause))?,
    };
    Ok(Feature {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        lifecycle: parsed(row, "lifecycle")?,
        salt: row.try_get("salt")?,
        variants,
        value_type,
        tags: json(row, "tags")?,
        owner_id: row.try_get::<Option<String>, _>("owner_id")?.map(UserId::from),
        approval_required: boolean(row, "approval_required")?,
        pipeline_id: row.try_get::<Option<String>, _>("pipeline_id")?.map(PipelineId::from),
        phase_environment_id: row.try_get::<Option<String>, _>("phase_environment_id")?.map(EnvironmentId::from),
        revision: unsigned(row, "revision")?,
    })
}
