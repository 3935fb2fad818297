//! Features of a project.

use flagservice_core::Key;
use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::Result;
use super::columns::{id, json, parsed, to_json};
use crate::ids::{FeatureId, ProjectId};
use crate::lifecycle::Lifecycle;

/// A feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Feature {
    /// Its id.
    pub id: FeatureId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Draft, Active or Archived.
    pub lifecycle: Lifecycle,
    /// Puts users into other buckets than features with another salt.
    pub salt: String,
    /// The variants that it can have, in the order that people gave them.
    pub variants: Vec<Key>,
}

const COLUMNS: &str = "SELECT id, project_id, key, name, description, lifecycle, salt, variants FROM features";

/// Adds a feature.
pub async fn insert(connection: &mut AnyConnection, feature: &Feature, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO features (id, project_id, key, name, description, lifecycle, salt, variants, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(feature.id.as_str())
    .bind(feature.project_id.as_str())
    .bind(feature.key.as_str())
    .bind(feature.name.as_str())
    .bind(feature.description.as_str())
    .bind(feature.lifecycle.as_str())
    .bind(feature.salt.as_str())
    .bind(to_json(&feature.variants)?)
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of a feature.
pub async fn update(connection: &mut AnyConnection, feature: &Feature) -> Result<()> {
    sqlx::query("UPDATE features SET name = $1, description = $2, lifecycle = $3 WHERE id = $4")
        .bind(feature.name.as_str())
        .bind(feature.description.as_str())
        .bind(feature.lifecycle.as_str())
        .bind(feature.id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// The project's features, by key.
pub async fn list(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<Feature>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE project_id = $1 ORDER BY key")))
        .bind(project.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(feature).collect()
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

fn feature(row: &AnyRow) -> Result<Feature> {
    Ok(Feature {
        id: id(row, "id")?,
        project_id: id(row, "project_id")?,
        key: parsed(row, "key")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        lifecycle: parsed(row, "lifecycle")?,
        salt: row.try_get("salt")?,
        variants: json(row, "variants")?,
    })
}
