//! The audit log: who changed what, when, from what to what.

use flagservice_rules::Instant;
use serde_json::Value;
use sqlx::AnyConnection;

use super::Result;
use super::columns::to_json;
use crate::ids::{AuditId, OrganisationId, UserId};

/// An entry to be kept.
pub struct NewAuditEntry<'a> {
    /// Its id.
    pub id: AuditId,
    /// The organisation in which it happened.
    pub organisation_id: &'a OrganisationId,
    /// When.
    pub at: Instant,
    /// Who.
    pub user_id: &'a UserId,
    /// The name that the person had then.
    pub user_name: &'a str,
    /// What was done, e.g. `targeting.update`.
    pub action: &'a str,
    /// To what: the path of the resource below `/api/v1`.
    pub resource: &'a str,
    /// The resource before; none when it was created.
    pub before: Option<&'a Value>,
    /// The resource after; none when it was deleted.
    pub after: Option<&'a Value>,
}

/// Adds an entry.
pub async fn append(connection: &mut AnyConnection, entry: &NewAuditEntry<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO audit_log (id, organisation_id, at, user_id, user_name, action, resource, before_state, after_state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
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
    .execute(connection)
    .await
    .map(drop)
}

/// How many entries there are, for tests of what leaves a trace.
pub async fn count(connection: &mut AnyConnection, organisation: &OrganisationId) -> Result<i64> {
    sqlx::query_scalar("SELECT COUNT(*) FROM audit_log WHERE organisation_id = $1")
        .bind(organisation.as_str())
        .fetch_one(connection)
        .await
}
