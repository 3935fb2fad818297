//! Projects of an organisation.

use flagservice_core::Key;
use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::Result;
use super::columns::{id, parsed};
use crate::ids::{OrganisationId, ProjectId};

/// A project.
#[derive(Clone)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Whose it is.
    pub organisation_id: OrganisationId,
    /// Unique in the organisation.
    pub key: Key,
    /// For people.
    pub name: String,
}

/// Adds a project.
pub async fn insert(connection: &mut AnyConnection, project: &Project, at: Instant) -> Result<()> {
    sqlx::query("INSERT INTO projects (id, organisation_id, key, name, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(project.id.as_str())
        .bind(project.organisation_id.as_str())
        .bind(project.key.as_str())
        .bind(project.name.as_str())
        .bind(at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// Makes others who add something to the project wait until this transaction ends: what is not there now is not there then.
pub async fn lock(connection: &mut AnyConnection, id: &ProjectId) -> Result<()> {
    sqlx::query("UPDATE projects SET name = name WHERE id = $1").bind(id.as_str()).execute(connection).await.map(drop)
}

/// The organisation's projects, by key.
pub async fn list(connection: &mut AnyConnection, organisation: &OrganisationId) -> Result<Vec<Project>> {
    let rows =
        sqlx::query("SELECT id, organisation_id, key, name FROM projects WHERE organisation_id = $1 ORDER BY key")
            .bind(organisation.as_str())
            .fetch_all(connection)
            .await?;
    rows.iter().map(project).collect()
}

/// The organisation's project of that key.
pub async fn find(connection: &mut AnyConnection, organisation: &OrganisationId, key: &str) -> Result<Option<Project>> {
    let row =
        sqlx::query("SELECT id, organisation_id, key, name FROM projects WHERE organisation_id = $1 AND key = $2")
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
    })
}
