//! Outbound integrations: where to, what for, the last outcome, and which node delivers.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{EnvironmentId, IntegrationId, OrganisationId};
use crate::domain::integration::{Integration, Kind, Lease, Outcome};
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::Result;
use crate::store::engine::columns::{boolean, id, json, parsed, signed, to_json, unsigned};
use crate::store::engine::readable::{Readable, Table};

const COLUMNS: &str =
    "SELECT id, organisation_id, kind, enabled, region, credentials, environment_ids, last_delivery_at,
        last_delivery_success, last_delivery_detail, lease_holder, lease_fence, lease_beat, revision FROM integrations";

const TABLE: Table = Table("integrations", &["id"]);

/// Adds an integration.
pub async fn insert(connection: &mut AnyConnection, integration: &Integration, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO integrations (id, organisation_id, kind, enabled, region, credentials, environment_ids, lease_holder,
            lease_fence, lease_beat, revision, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, '', 0, 0, $8, $9)",
    )
    .bind(integration.id.as_str())
    .bind(integration.organisation_id.as_str())
    .bind(integration.kind.as_str())
    .bind(i64::from(integration.enabled))
    .bind(integration.region.to_string())
    .bind(integration.credentials.as_str())
    .bind(to_json(&integration.environment_ids)?)
    .bind(signed(integration.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what people may change of an integration.
pub async fn update(connection: &mut AnyConnection, integration: &Integration) -> Result<()> {
    sqlx::query(
        "UPDATE integrations SET enabled = $1, region = $2, credentials = $3, environment_ids = $4, revision = $5
         WHERE id = $6",
    )
    .bind(i64::from(integration.enabled))
    .bind(integration.region.to_string())
    .bind(integration.credentials.as_str())
    .bind(to_json(&integration.environment_ids)?)
    .bind(signed(integration.revision))
    .bind(integration.id.as_str())
    .execute(connection)
    .await
    .map(drop)
}

/// Stores credentials that another data key encrypts, unless others are stored by now. Says whether they were.
pub async fn reseal_unchanged(
    connection: &mut AnyConnection,
    id: &IntegrationId,
    before: &str,
    credentials: &str,
) -> Result<bool> {
    let resealed = sqlx::query("UPDATE integrations SET credentials = $1 WHERE id = $2 AND credentials = $3")
        .bind(credentials)
        .bind(id.as_str())
        .bind(before)
        .execute(connection)
        .await?;
    Ok(resealed.rows_affected() > 0)
}

/// Deletes an integration with what waits for it.
pub async fn delete(connection: &mut AnyConnection, id: &IntegrationId) -> Result<()> {
    sqlx::query("DELETE FROM integrations WHERE id = $1").bind(id.as_str()).execute(connection).await.map(drop)
}

/// The organisation's readable integrations after a place in the list, oldest first.
pub async fn page(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    after: &str,
    limit: usize,
) -> Result<Vec<Integration>> {
    let statement = format!("{COLUMNS} WHERE organisation_id = $1 AND id > $2 ORDER BY id");
    let rows =
        sqlx::query(AssertSqlSafe(statement)).bind(organisation.as_str()).bind(after).fetch_all(connection).await?;
    let mut found = TABLE.readable(&rows, integration)?.rows;
    found.truncate(limit);
    Ok(found)
}

/// What decides whether a change is queued for an integration.
#[derive(Debug)]
pub struct Recipient {
    /// Its id.
    pub id: IntegrationId,
    /// Whether changes are delivered.
    pub enabled: bool,
    /// Only changes in these are delivered; none listed: in all.
    pub environment_ids: Vec<EnvironmentId>,
    /// Whether it gets approvals too.
    pub takes_approvals: bool,
}

/// The type that gets changes only. Those of later releases get approvals, too.
const ONLY_CHANGES: &str = Kind::Analytics.as_str();

/// To whom changes of the organisation are delivered, oldest first.
pub async fn recipients(connection: &mut AnyConnection, organisation: &OrganisationId) -> Result<Readable<Recipient>> {
    let statement =
        "SELECT id, kind, enabled, environment_ids FROM integrations WHERE organisation_id = $1 ORDER BY id";
    let rows = sqlx::query(statement).bind(organisation.as_str()).fetch_all(connection).await?;
    TABLE.readable(&rows, |row| {
        let (enabled, environment_ids) = (boolean(row, "enabled")?, json(row, "environment_ids")?);
        let takes_approvals = row.try_get::<String, _>("kind")? != ONLY_CHANGES;
        Ok(Recipient { id: id(row, "id")?, enabled, environment_ids, takes_approvals })
    })
}

/// Whether the organisation has an integration that gets approvals.
pub async fn any_takes_approvals(connection: &mut AnyConnection, organisation: &OrganisationId) -> Result<bool> {
    let row = sqlx::query("SELECT 1 AS one FROM integrations WHERE organisation_id = $1 AND kind <> $2 LIMIT 1")
        .bind(organisation.as_str())
        .bind(ONLY_CHANGES)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// The ids and the encrypted keys of all integrations, of every organisation.
pub async fn all_credentials(connection: &mut AnyConnection) -> Result<Vec<(IntegrationId, String)>> {
    let rows = sqlx::query("SELECT id, credentials FROM integrations ORDER BY id").fetch_all(connection).await?;
    rows.iter().map(|row| Ok((id(row, "id")?, row.try_get("credentials")?))).collect()
}

/// All integrations that cannot be read.
pub async fn unreadable(connection: &mut AnyConnection) -> Result<Vec<UnreadableRow>> {
    TABLE.unreadable(sqlx::query(COLUMNS).fetch(connection), |row| Ok((integration(row)?, lease(row)?))).await
}

/// The organisation's integration of that id.
pub async fn find(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    id: &str,
) -> Result<Option<Integration>> {
    let row = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE organisation_id = $1 AND id = $2")))
        .bind(organisation.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(integration).transpose()
}

/// The enabled integrations for which something waits, with who delivers to them.
pub async fn with_work(connection: &mut AnyConnection) -> Result<Readable<(IntegrationId, Lease)>> {
    let statement = format!(
        "{COLUMNS} WHERE enabled = 1 AND EXISTS
            (SELECT 1 FROM deliveries d WHERE d.integration_id = integrations.id AND d.state = 'waiting') ORDER BY id"
    );
    let rows = sqlx::query(AssertSqlSafe(statement)).fetch_all(connection).await?;
    TABLE.readable(&rows, |row| Ok((id(row, "id")?, lease(row)?)))
}

/// The integration of that id, if it can be read.
pub async fn get(
    connection: &mut AnyConnection,
    id: &IntegrationId,
) -> Result<Option<std::result::Result<Integration, UnreadableRow>>> {
    let row = sqlx::query(AssertSqlSafe(format!("{COLUMNS} WHERE id = $1")))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|row| TABLE.set_aside(&row, integration(&row))).transpose()
}

/// Takes over the lease from the holder that was seen, unless it has sent a heartbeat since. Returns the new fence.
pub async fn take_over(
    connection: &mut AnyConnection,
    id: &IntegrationId,
    holder: &str,
    seen: &Lease,
) -> Result<Option<u64>> {
    let row = sqlx::query(
        "UPDATE integrations SET lease_holder = $1, lease_fence = lease_fence + 1
         WHERE id = $2 AND lease_holder = $3 AND lease_fence = $4 AND lease_beat = $5 RETURNING lease_fence",
    )
    .bind(holder)
    .bind(id.as_str())
    .bind(seen.holder.as_str())
    .bind(signed(seen.fence))
    .bind(signed(seen.beat))
    .fetch_optional(connection)
    .await?;
    row.map(|row| unsigned(&row, "lease_fence")).transpose()
}

/// Renews the lease; false when another node has taken over, or the integration is deleted.
pub async fn renew(connection: &mut AnyConnection, id: &IntegrationId, fence: u64) -> Result<bool> {
    let done = sqlx::query("UPDATE integrations SET lease_beat = lease_beat + 1 WHERE id = $1 AND lease_fence = $2")
        .bind(id.as_str())
        .bind(signed(fence))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Lets go of every integration that the node delivers to; of all of them, when none is named.
pub async fn release(connection: &mut AnyConnection, holder: Option<&str>) -> Result<()> {
    sqlx::query("UPDATE integrations SET lease_holder = '' WHERE lease_holder <> '' AND ($1 = '' OR lease_holder = $1)")
        .bind(holder.unwrap_or_default())
        .execute(connection)
        .await
        .map(drop)
}

/// Stores the result of the newest delivery.
pub async fn set_last(connection: &mut AnyConnection, id: &IntegrationId, outcome: &Outcome) -> Result<()> {
    sqlx::query(
        "UPDATE integrations SET last_delivery_at = $1, last_delivery_success = $2, last_delivery_detail = $3 WHERE id = $4",
    )
    .bind(outcome.at.0)
    .bind(i64::from(outcome.success))
    .bind(outcome.detail.as_str())
    .bind(id.as_str())
    .execute(connection)
    .await
    .map(drop)
}

fn integration(row: &AnyRow) -> Result<Integration> {
    let at: Option<i64> = row.try_get("last_delivery_at")?;
    let last = match at {
        None => None,
        Some(at) => Some(Outcome {
            at: Instant(at),
            success: boolean(row, "last_delivery_success")?,
            detail: row.try_get("last_delivery_detail")?,
        }),
    };
    Ok(Integration {
        id: id(row, "id")?,
        organisation_id: id(row, "organisation_id")?,
        kind: parsed(row, "kind")?,
        enabled: boolean(row, "enabled")?,
        region: parsed(row, "region")?,
        credentials: row.try_get("credentials")?,
        environment_ids: json(row, "environment_ids")?,
        last,
        revision: unsigned(row, "revision")?,
    })
}

fn lease(row: &AnyRow) -> Result<Lease> {
    let (fence, beat) = (unsigned(row, "lease_fence")?, unsigned(row, "lease_beat")?);
    Ok(Lease { holder: row.try_get("lease_holder")?, fence, beat })
}
