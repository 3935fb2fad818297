//! Organisations.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::ids::OrganisationId;
use crate::domain::organisation::Organisation;
use crate::store::Result;
use crate::store::engine::columns::{id, unsigned};

/// How many organisations there are.
pub async fn count(connection: &mut AnyConnection) -> Result<i64> {
    sqlx::query_scalar("SELECT COUNT(*) FROM organisations").fetch_one(connection).await
}

/// Adds an organisation.
pub async fn insert(connection: &mut AnyConnection, id: &OrganisationId, name: &str, at: Instant) -> Result<()> {
    sqlx::query("INSERT INTO organisations (id, name, revision, created_at) VALUES ($1, $2, 1, $3)")
        .bind(id.as_str())
        .bind(name)
        .bind(at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// The organisation of that id.
pub async fn get(connection: &mut AnyConnection, id: &OrganisationId) -> Result<Organisation> {
    let row = sqlx::query("SELECT name, revision FROM organisations WHERE id = $1")
        .bind(id.as_str())
        .fetch_one(connection)
        .await?;
    organisation(&row)
}

/// All organisations, oldest first.
pub async fn list(connection: &mut AnyConnection) -> Result<Vec<(OrganisationId, Organisation)>> {
    let rows = sqlx::query("SELECT id, name, revision FROM organisations ORDER BY id").fetch_all(connection).await?;
    rows.iter().map(|row| Ok((id(row, "id")?, organisation(row)?))).collect()
}

/// Renames the organisation.
pub async fn rename(connection: &mut AnyConnection, id: &OrganisationId, name: &str) -> Result<()> {
    sqlx::query("UPDATE organisations SET name = $1, revision = revision + 1 WHERE id = $2")
        .bind(name)
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Makes other writers of the organisation's people and projects wait until this transaction ends.
pub async fn lock(connection: &mut AnyConnection, id: &OrganisationId) -> Result<()> {
    sqlx::query("UPDATE organisations SET revision = revision WHERE id = $1")
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

fn organisation(row: &AnyRow) -> Result<Organisation> {
    Ok(Organisation { name: row.try_get("name")?, revision: unsigned(row, "revision")? })
}
