//! How far the outbox has been fanned out into deliveries: a cursor for each environment, a lock for each organisation.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::domain::changes::flag_change::FlagChange;
use crate::domain::ids::{EnvironmentId, OrganisationId};
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Result;
use crate::store::changes::outbox;
use crate::store::engine::columns::{id, json, signed, unsigned};

/// An entry of the outbox that has not been fanned out.
#[derive(Debug)]
pub struct Pending {
    /// The environment that changed.
    pub environment_id: EnvironmentId,
    /// Its version after the change.
    pub version: u64,
    /// The change, which may have entries in several environments.
    pub change_id: String,
    /// When it was made.
    pub at: Instant,
    /// What changed, if it can be read.
    pub change: std::result::Result<FlagChange, UnreadableRow>,
}

/// The organisations with an integration, in which something changed that has not been fanned out.
pub async fn behind(connection: &mut AnyConnection) -> Result<Vec<OrganisationId>> {
    let rows = sqlx::query(
        "SELECT DISTINCT p.organisation_id FROM environments e JOIN projects p ON p.id = e.project_id
            JOIN integrations i ON i.organisation_id = p.organisation_id
            LEFT JOIN fan_out_cursors c ON c.environment_id = e.id WHERE e.version > COALESCE(c.version, 0)",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| id(row, "organisation_id")).collect()
}

/// Makes others who fan out for the organisation wait until this transaction ends. Returns its last position.
pub async fn lock(connection: &mut AnyConnection, organisation: &OrganisationId) -> Result<u64> {
    let row = sqlx::query(
        "INSERT INTO fan_outs (organisation_id, position) VALUES ($1, 0)
         ON CONFLICT (organisation_id) DO UPDATE SET position = fan_outs.position RETURNING position",
    )
    .bind(organisation.as_str())
    .fetch_one(connection)
    .await?;
    unsigned(&row, "position")
}

/// Keeps the organisation's last position.
pub async fn set_position(connection: &mut AnyConnection, organisation: &OrganisationId, position: u64) -> Result<()> {
    sqlx::query("UPDATE fan_outs SET position = $1 WHERE organisation_id = $2")
        .bind(signed(position))
        .bind(organisation.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// The next `most` entries that have not been fanned out, read at one instant, in the order in which they were written. A
/// write that began after another one was answered comes later, whatever the clocks say; within an environment that is
/// the order of versions.
pub async fn pending(connection: &mut AnyConnection, organisation: &OrganisationId, most: u64) -> Result<Vec<Pending>> {
    let rows = sqlx::query(
        "SELECT o.environment_id, o.version, o.change_id, o.at, o.change FROM outbox o
            JOIN environments e ON e.id = o.environment_id JOIN projects p ON p.id = e.project_id
            LEFT JOIN fan_out_cursors c ON c.environment_id = o.environment_id
         WHERE p.organisation_id = $1 AND o.version > COALESCE(c.version, 0) ORDER BY o.rowid LIMIT $2",
    )
    .bind(organisation.as_str())
    .bind(signed(most))
    .fetch_all(connection)
    .await?;
    let pending = |row: &AnyRow| {
        Ok(Pending {
            environment_id: id(row, "environment_id")?,
            version: unsigned(row, "version")?,
            change_id: row.try_get("change_id")?,
            at: Instant(row.try_get("at")?),
            change: outbox::TABLE.set_aside(row, json(row, "change"))?,
        })
    };
    rows.iter().map(pending).collect()
}

/// Moves the environment's cursor.
pub async fn advance(connection: &mut AnyConnection, environment: &EnvironmentId, version: u64) -> Result<()> {
    sqlx::query(
        "INSERT INTO fan_out_cursors (environment_id, version) VALUES ($1, $2)
         ON CONFLICT (environment_id) DO UPDATE SET version = excluded.version",
    )
    .bind(environment.as_str())
    .bind(signed(version))
    .execute(connection)
    .await
    .map(drop)
}

/// Moves the cursors of all of the organisation's environments to their present versions.
pub async fn skip(connection: &mut AnyConnection, organisation: &OrganisationId) -> Result<()> {
    sqlx::query(
        "INSERT INTO fan_out_cursors (environment_id, version)
            SELECT e.id, e.version FROM environments e JOIN projects p ON p.id = e.project_id WHERE p.organisation_id = $1
         ON CONFLICT (environment_id) DO UPDATE SET version = excluded.version",
    )
    .bind(organisation.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// Forgets the cursor of an environment that is deleted.
pub async fn forget(connection: &mut AnyConnection, environment: &EnvironmentId) -> Result<()> {
    sqlx::query("DELETE FROM fan_out_cursors WHERE environment_id = $1")
        .bind(environment.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Which of these environments are the organisation's.
pub async fn environments_of(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
) -> Result<Vec<EnvironmentId>> {
    let rows = sqlx::query(
        "SELECT e.id FROM environments e JOIN projects p ON p.id = e.project_id WHERE p.organisation_id = $1 ORDER BY e.id",
    )
    .bind(organisation.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| id(row, "id")).collect()
}
