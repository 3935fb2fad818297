//! The people of an organisation.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{OrganisationId, UserId};
use crate::domain::role::Role;
use crate::domain::user::User;
use crate::store::Result;
use crate::store::engine::columns::{id, parsed, signed, unsigned};

const SELECT: &str = "SELECT id, organisation_id, name, role, revision FROM users WHERE organisation_id = $1";

/// Adds a person.
pub async fn insert(connection: &mut AnyConnection, user: &User, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO users (id, organisation_id, name, role, revision, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(user.id.as_str())
    .bind(user.organisation_id.as_str())
    .bind(user.name.as_str())
    .bind(user.role.as_str())
    .bind(signed(user.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of a person.
pub async fn update(connection: &mut AnyConnection, user: &User) -> Result<()> {
    sqlx::query("UPDATE users SET name = $1, role = $2, revision = $3 WHERE id = $4")
        .bind(user.name.as_str())
        .bind(user.role.as_str())
        .bind(signed(user.revision))
        .bind(user.id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Deletes a person with all tokens.
pub async fn delete(connection: &mut AnyConnection, id: &UserId) -> Result<()> {
    for statement in ["DELETE FROM access_tokens WHERE user_id = $1", "DELETE FROM users WHERE id = $1"] {
        sqlx::query(statement).bind(id.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The organisation's people after a place in the list, by id.
pub async fn list(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    after: &str,
    limit: i64,
) -> Result<Vec<User>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND id > $2 ORDER BY id LIMIT $3")))
        .bind(organisation.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(user).collect()
}

/// The organisation's person of that id.
pub async fn find(connection: &mut AnyConnection, organisation: &OrganisationId, id: &str) -> Result<Option<User>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} AND id = $2")))
        .bind(organisation.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(user).transpose()
}

/// The person of that id, of any organisation.
pub async fn get(connection: &mut AnyConnection, id: &UserId) -> Result<Option<User>> {
    let row = sqlx::query("SELECT id, organisation_id, name, role, revision FROM users WHERE id = $1")
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(user).transpose()
}

/// How many people of the organisation have the role.
pub async fn count(connection: &mut AnyConnection, organisation: &OrganisationId, role: Role) -> Result<i64> {
    sqlx::query_scalar("SELECT COUNT(*) FROM users WHERE organisation_id = $1 AND role = $2")
        .bind(organisation.as_str())
        .bind(role.as_str())
        .fetch_one(connection)
        .await
}

pub(in crate::store) fn user(row: &AnyRow) -> Result<User> {
    Ok(User {
        id: id(row, "id")?,
        organisation_id: id(row, "organisation_id")?,
        name: row.try_get("name")?,
        role: parsed(row, "role")?,
        revision: unsigned(row, "revision")?,
    })
}
