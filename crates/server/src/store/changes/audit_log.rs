//! The audit log: who changed what, when, from what to what.

use std::collections::BTreeSet;

use flagservice_rules::Instant;
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::audit::{AuditEntry, AuditFilter, NewAuditEntry, collect_environments};
use crate::domain::ids::{OrganisationId, UserId};
use crate::store::Result;
use crate::store::engine::columns::{corrupt, id, to_json, token};

/// Adds an entry.
pub async fn append(connection: &mut AnyConnection, entry: &NewAuditEntry<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO audit_log (id, organisation_id, at, user_id, user_name, action, resource, before_state, after_state,
            token_id, token_creator_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(entry.id.as_str())
    .bind(entry.organisation_id.as_str())
    .bind(entry.at.0)
    .bind(entry.user_id.as_str())
    .bind(entry.user_name)
    .bind(entry.action)
    .bind(entry.resource)
    .bind(entry.before.map(to_json).transpose()?)
    .bind(entry.after.map(to_json).transpose()?)
    .bind(entry.token.map(|token| token.id.as_str()))
    .bind(entry.token.and_then(|token| token.creator_id.as_ref()).map(UserId::as_str))
    .execute(&mut *connection)
    .await?;
    let mut environments = BTreeSet::new();
    for state in [entry.before, entry.after].into_iter().flatten() {
        collect_environments(state, &mut environments);
    }
    for environment in environments {
        sqlx::query("INSERT INTO audit_environments (organisation_id, environment_key, entry_id) VALUES ($1, $2, $3)")
            .bind(entry.organisation_id.as_str())
            .bind(environment)
            .bind(entry.id.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The organisation's entries before a place in the list, newest first.
pub async fn page(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    filter: &AuditFilter,
    before: &str,
    limit: i64,
) -> Result<Vec<AuditEntry>> {
    // With an environment its index is read, and no entry of another one.
    let (of_environment, place) = match &filter.environment {
        None => ("audit_log WHERE organisation_id = $1 AND $9 = ''", "id"),
        Some(_) => (
            "audit_environments JOIN audit_log ON id = entry_id
             WHERE audit_environments.organisation_id = $1 AND environment_key = $9",
            "entry_id",
        ),
    };
    let rows = sqlx::query(AssertSqlSafe(format!(
        "SELECT id, at, user_id, user_name, action, resource, before_state, after_state, token_id, token_creator_id
         FROM {of_environment}
             AND ($2 = '' OR {place} < $2) AND ($3 = '' OR resource = $3 OR SUBSTR(resource, 1, LENGTH($4)) = $4)
            AND ($5 = '' OR user_id = $5) AND at >= $6 AND at < $7
            AND ($10 = '' OR action = $10 OR SUBSTR(action, 1, LENGTH($11)) = $11)
         ORDER BY {place} DESC LIMIT $8"
    )))
    .bind(organisation.as_str())
    .bind(before)
    .bind(filter.resource.as_deref().unwrap_or_default())
    .bind(filter.resource.as_deref().map(|resource| format!("{resource}/")).unwrap_or_default())
    .bind(filter.user_id.as_deref().unwrap_or_default())
    .bind(filter.from.map_or(i64::MIN, |instant| instant.0))
    .bind(filter.to.map_or(i64::MAX, |instant| instant.0))
    .bind(limit)
    .bind(filter.environment.as_deref().unwrap_or_default())
    .bind(filter.action.as_deref().unwrap_or_default())
    .bind(filter.action.as_deref().map(|action| format!("{action}.")).unwrap_or_default())
    .fetch_all(connection)
    .await?;
    rows.iter().map(entry).collect()
}

fn entry(row: &AnyRow) -> Result<AuditEntry> {
    let state = |column: &'static str| -> Result<Option<Value>> {
        let text: Option<String> = row.try_get(column)?;
        text.map(|text| serde_json::from_str(&text).map_err(|cause| corrupt(column, cause))).transpose()
    };
    Ok(AuditEntry {
        id: id(row, "id")?,
        at: Instant(row.try_get("at")?),
        user_id: id(row, "user_id")?,
        user_name: row.try_get("user_name")?,
        token: token(row, ["token_id", "token_creator_id"])?,
        action: row.try_get("action")?,
        resource: row.try_get("resource")?,
        before: state("before_state")?,
        after: state("after_state")?,
    })
}
