//! Organisations and the people in them.

use flagservice_rules::Instant;
use sqlx::AnyConnection;

use super::Result;
use crate::ids::{OrganisationId, UserId};
use crate::role::Role;

/// A person of an organisation.
pub struct User {
    /// Its id.
    pub id: UserId,
    /// The organisation, which everything that the person does is confined to.
    pub organisation_id: OrganisationId,
    /// As annotations and the audit log name the person.
    pub name: String,
    /// What the person may do.
    pub role: Role,
}

/// How many organisations there are.
pub async fn count(connection: &mut AnyConnection) -> Result<i64> {
    sqlx::query_scalar("SELECT COUNT(*) FROM organisations").fetch_one(connection).await
}

/// Adds an organisation.
pub async fn insert(connection: &mut AnyConnection, id: &OrganisationId, name: &str, at: Instant) -> Result<()> {
    sqlx::query("INSERT INTO organisations (id, name, created_at) VALUES ($1, $2, $3)")
        .bind(id.as_str())
        .bind(name)
        .bind(at.0)
        .execute(connection)
        .await
        .map(drop)
}

/// Makes others who add something to the organisation wait until this transaction ends.
pub async fn lock(connection: &mut AnyConnection, id: &OrganisationId) -> Result<()> {
    sqlx::query("UPDATE organisations SET name = name WHERE id = $1")
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Adds a person.
pub async fn insert_user(connection: &mut AnyConnection, user: &User, at: Instant) -> Result<()> {
    sqlx::query("INSERT INTO users (id, organisation_id, name, role, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(user.id.as_str())
        .bind(user.organisation_id.as_str())
        .bind(user.name.as_str())
        .bind(user.role.as_str())
        .bind(at.0)
        .execute(connection)
        .await
        .map(drop)
}
