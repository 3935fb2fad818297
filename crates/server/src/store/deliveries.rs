//! What is to be delivered to an integration, and what became of it: the backlog and the log in one table.

use std::fmt;

use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::Result;
use super::columns::{id, json, parsed, signed, to_json, truth, unsigned};
use crate::ids::IntegrationId;

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryState {
    /// It waits for its turn, or is under way.
    Waiting,
    /// The destination took it.
    Delivered,
    /// The destination did not take it, and it is not tried again.
    Failed,
}

impl DeliveryState {
    const ALL: [Self; 3] = [Self::Waiting, Self::Delivered, Self::Failed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for DeliveryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for DeliveryState {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or_else(|| format!("unknown state '{text}'"))
    }
}

/// One attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it was over, in milliseconds since 1970.
    pub at: Instant,
    /// The HTTP status that was answered; none when there was no answer.
    pub status: Option<u16>,
    /// What the destination answered, or why there was no answer.
    pub detail: String,
}

/// A delivery.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Where to.
    pub integration_id: IntegrationId,
    /// Its place in the order of changes.
    pub position: u64,
    /// Which change it is of; no integration has two of one.
    pub entry: String,
    /// When the change was made.
    pub at: Instant,
    /// The change, as the outbox has it.
    pub change: Value,
    /// Whether somebody asked for it, to see whether it arrives.
    pub is_test: bool,
    /// Where it stands.
    pub state: DeliveryState,
    /// The attempts so far.
    pub attempts: Vec<Attempt>,
    /// When it was delivered or had failed.
    pub settled_at: Option<Instant>,
}

/// What waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// How many deliveries.
    pub waiting: u64,
    /// When the change was made that waits the longest.
    pub oldest: Option<Instant>,
}

const COLUMNS: &str =
    "SELECT integration_id, position, entry, at, change, is_test, state, attempts, settled_at FROM deliveries";

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
    .bind(to_json(&delivery.change)?)
    .bind(i64::from(delivery.is_test))
    .bind(delivery.state.as_str())
    .bind(to_json(&delivery.attempts)?)
    .bind(delivery.settled_at.map(|at| at.0))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The first that waits.
pub async fn next(connection: &mut AnyConnection, integration: &IntegrationId) -> Result<Option<Delivery>> {
    let statement = format!("{COLUMNS} WHERE integration_id = $1 AND state = 'waiting' ORDER BY position LIMIT 1");
    let row = sqlx::query(AssertSqlSafe(statement)).bind(integration.as_str()).fetch_optional(connection).await?;
    row.as_ref().map(delivery).transpose()
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

/// The integration's deliveries before a position (none: from the newest), newest first.
pub async fn page(
    connection: &mut AnyConnection,
    integration: &IntegrationId,
    before: i64,
    limit: i64,
) -> Result<Vec<Delivery>> {
    let statement =
        format!("{COLUMNS} WHERE integration_id = $1 AND ($2 < 0 OR position < $2) ORDER BY position DESC LIMIT $3");
    let rows = sqlx::query(AssertSqlSafe(statement))
        .bind(integration.as_str())
        .bind(before)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(delivery).collect()
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
        change: json(row, "change")?,
        is_test: truth(row, "is_test")?,
        state: parsed(row, "state")?,
        attempts: json(row, "attempts")?,
        settled_at: settled_at.map(Instant),
    })
}
