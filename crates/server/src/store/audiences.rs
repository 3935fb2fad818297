//! Saved audiences of a project: for all of it, or limited to one environment.

use flagservice_core::Key;
use flagservice_rules::{Condition, Instant};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::Result;
use super::columns::{id, json, parsed, to_json};
use crate::ids::{AudienceId, EnvironmentId, ProjectId};

/// Where an audience may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AudienceScope {
    /// In every environment of the project.
    Project,
    /// In this environment only.
    Environment(EnvironmentId),
}

impl AudienceScope {
    /// Whether rules of the environment may name the audience.
    pub fn covers(&self, environment: &EnvironmentId) -> bool {
        match self {
            Self::Project => true,
            Self::Environment(only) => only == environment,
        }
    }
}

/// A saved audience.
#[derive(Clone, Debug)]
pub struct Audience {
    /// Its id.
    pub id: AudienceId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// Where it may be used.
    pub scope: AudienceScope,
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// All of which must hold.
    pub conditions: Vec<Condition>,
}

/// Adds an audience.
pub async fn insert(connection: &mut AnyConnection, audience: &Audience, at: Instant) -> Result<()> {
    let environment = match &audience.scope {
        AudienceScope::Project => None,
        AudienceScope::Environment(id) => Some(id.as_str()),
    };
    sqlx::query(
        "INSERT INTO audiences (id, project_id, environment_id, key, name, conditions, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(audience.id.as_str())
    .bind(audience.project_id.as_str())
    .bind(environment)
    .bind(audience.key.as_str())
    .bind(audience.name.as_str())
    .bind(to_json(&audience.conditions)?)
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// The project's audiences, by key.
pub async fn list(connection: &mut AnyConnection, project: &ProjectId) -> Result<Vec<Audience>> {
    let rows = sqlx::query(
        "SELECT id, project_id, environment_id, key, name, conditions FROM audiences WHERE project_id = $1 ORDER BY key",
    )
    .bind(project.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(audience).collect()
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
    })
}
