//! Deliveries to integrations with their results: the backlog and the log in one table.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::delivery::{Attempt, Backlog, Delivery};
use crate::domain::ids::IntegrationId;
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Result;
use crate::store::engine::columns::{boolean, id, json, parsed, signed, to_json, unsigned};
use crate::store::engine::readable::Table;

const COLUMNS: &str =
    "SELECT integration_id, position, entry, at, change, is_test, state, attempts, settled_at FROM deliveries";

const TABLE: Table = Table("deliveries", &["integration_id", "position"]);

/// Adds a delivery, unless the integration has one of that change. Says whether it was added.
pub async fn insert(connection: &mut AnyConnection, delivery: &Delivery) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO deliveries (integration_id, position, entry, at, change, is_test, state, attempts, settled_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (integration_id, entry) DO NOTHING",
    )
    .bind(delivery.integration_id.as_str())
    .bind(signed(delivery.position))
    .bind(delivery.entry.as_str())
    .bind(delivery.at.0)
    .bind(to_json(&delivery.announcement)?)
    .bind(i64::from(delivery.is_test))
    .bind(delivery.state.as_str())
    .bind(to_json(&delivery.attempts)?)
    .bind(delivery.settled_at.map(|at| at.0))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The next delivery.
#[derive(Debug)]
pub enum Next {
    /// It can be delivered.
    Delivery(Box<Delivery>),
    /// It cannot be read.
    Unreadable {
        /// Its position.
        position: u64,
        /// What cannot be read.
        row: UnreadableRow,
    },
}

/// The first that waits.
pub async fn next(connection: &mut AnyConnection, integration: &IntegrationId) -> Result<Option<Next>> {
    let statement = format!("{COLUMNS} WHERE integration_id = $1 AND state = 'waiting' ORDER BY position LIMIT 1");
    let row = sqlx::query(AssertSqlSafe(statement)).bind(integration.as_str()).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(match TABLE.set_aside(&row, delivery(&row))? {
        Ok(delivery) => Next::Delivery(Box::new(delivery)),
        Err(unreadable) => Next::Unreadable { position: unsigned(&row, "position")?, row: unreadable },
    }))
}

/// Notes that a delivery failed because it cannot be read. What changed stays as it is stored.
pub async fn fail_unreadable(
    connection: &mut AnyConnection,
    integration: &IntegrationId,
    position: u64,
    attempt: &Attempt,
) -> Result<()> {
    sqlx::query(
        "UPDATE deliveries SET state = 'failed', attempts = $1, settled_at = $2 WHERE integration_id = $3 AND position = $4",
    )
    .bind(to_json(&[attempt])?)
    .bind(attempt.at.0)
    .bind(integration.as_str())
    .bind(signed(position))
    .execute(connection)
    .await
    .map(drop)
}

/// Writes where the delivery stands, and its attempts.
pub async fn update(connection: &mut AnyConnection, delivery: &Delivery) -> Result<()> {
    sqlx::query(
        "UPDATE deliveries SET state = $1, attempts = $2, settled_at = $3 WHERE integration_id = $4 AND position = $5",
    )
    .bind(delivery.state.as_str())
    .bind(to_json(&delivery.attempts)?)
    .bind(delivery.settled_at.map(|at| at.0))
    .bind(delivery.integration_id.as_str())
    .bind(signed(delivery.position))
    .execute(connection)
    .await
    .map(drop)
}

/// Forgets all that is settled but the newest.
pub async fn prune(connection: &mut AnyConnection, integration: &IntegrationId, kept: u64) -> Result<()> {
    sqlx::query(
        "DELETE FROM deliveries WHERE integration_id = $1 AND state <> 'waiting' AND position <=
            (SELECT position FROM deliveries WHERE integration_id = $1 AND state <> 'waiting'
             ORDER BY position DESC LIMIT 1 OFFSET $2)",
    )
    .bind(integration.as_str())
    .bind(signed(kept))
    .execute(connection)
    .await
    .map(drop)
}

/// The integration's readable deliveries before a position (none: from the newest), newest first.
pub async fn page(
    connection: &mut AnyConnection,
    integration: &IntegrationId,
    mut before: i64,
    limit: usize,
) -> Result<Vec<Delivery>> {
    let statement =
        format!("{COLUMNS} WHERE integration_id = $1 AND ($2 < 0 OR position < $2) ORDER BY position DESC LIMIT $3");
    let mut found = Vec::new();
    loop {
        let missing = limit.saturating_sub(found.len());
        let rows = sqlx::query(AssertSqlSafe(statement.as_str()))
            .bind(integration.as_str())
            .bind(before)
            .bind(i64::try_from(missing).unwrap_or(i64::MAX))
            .fetch_all(&mut *connection)
            .await?;
        found.extend(TABLE.readable(&rows, delivery)?.rows);
        match rows.last() {
            // Others take the places of those that cannot be read.
            Some(last) if found.len() < limit && rows.len() == missing => before = last.try_get("position")?,
            _ => return Ok(found),
        }
    }
}

/// All deliveries that cannot be read.
pub async fn unreadable(connection: &mut AnyConnection) -> Result<Vec<UnreadableRow>> {
    TABLE.unreadable(sqlx::query(COLUMNS).fetch(connection), delivery).await
}

const BACKLOG: &str =
    "SELECT COUNT(*) AS waiting, COALESCE(MIN(at), -1) AS oldest FROM deliveries WHERE state = 'waiting'";

/// What waits for the integration.
pub async fn backlog(connection: &mut AnyConnection, integration: &IntegrationId) -> Result<Backlog> {
    let statement = format!("{BACKLOG} AND integration_id = $1");
    let row = sqlx::query(AssertSqlSafe(statement)).bind(integration.as_str()).fetch_one(connection).await?;
    read_backlog(&row)
}

/// What waits for all integrations together.
pub async fn whole_backlog(connection: &mut AnyConnection) -> Result<Backlog> {
    read_backlog(&sqlx::query(BACKLOG).fetch_one(connection).await?)
}

fn read_backlog(row: &AnyRow) -> Result<Backlog> {
    let oldest: i64 = row.try_get("oldest")?;
    Ok(Backlog { waiting: unsigned(row, "waiting")?, oldest: (oldest >= 0).then_some(Instant(oldest)) })
}

fn delivery(row: &AnyRow) -> Result<Delivery> {
    let settled_at: Option<i64> = row.try_get("settled_at")?;
    Ok(Delivery {
        integration_id: id(row, "integration_id")?,
        position: unsigned(row, "position")?,
        entry: row.try_get("entry")?,
        at: Instant(row.try_get("at")?),
        announcement: json(row, "change")?,
        is_test: boolean(row, "is_test")?,
        state: parsed(row, "state")?,
        attempts: json(row, "attempts")?,
        settled_at: settled_at.map(Instant),
    })
}
