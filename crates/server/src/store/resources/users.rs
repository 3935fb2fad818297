//! The people of an organisation.

use flagservice_rules::Instant;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use crate::domain::ids::{OrganisationId, UserId};
use crate::domain::role::Role;
use crate::domain::user::{Identity, User};
use crate::store::Result;
use crate::store::engine::columns::{id, parsed, signed, unsigned};

const SELECT: &str =
    "SELECT u.id, u.organisation_id, u.name, u.role, u.email, u.revision, i.id AS identity_id FROM users u
    LEFT JOIN identities i ON i.user_id = u.id WHERE u.organisation_id = $1";

/// Adds a person.
pub async fn insert(connection: &mut AnyConnection, user: &User, at: Instant) -> Result<()> {
    sqlx::query(
        "INSERT INTO users (id, organisation_id, name, role, email, revision, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(user.id.as_str())
    .bind(user.organisation_id.as_str())
    .bind(user.name.as_str())
    .bind(user.role.as_str())
    .bind(email(user))
    .bind(signed(user.revision))
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Writes what may change of a person.
pub async fn update(connection: &mut AnyConnection, user: &User) -> Result<()> {
    sqlx::query("UPDATE users SET name = $1, role = $2, email = $3, revision = $4 WHERE id = $5")
        .bind(user.name.as_str())
        .bind(user.role.as_str())
        .bind(email(user))
        .bind(signed(user.revision))
        .bind(user.id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// Deletes a person with all tokens and sessions. Their identity stays, so that signing in does not add them again.
pub async fn delete(connection: &mut AnyConnection, id: &UserId) -> Result<()> {
    end_sessions(connection, id).await?;
    for statement in ["DELETE FROM access_tokens WHERE user_id = $1", "DELETE FROM users WHERE id = $1"] {
        sqlx::query(statement).bind(id.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Ends the sessions that a person has begun with the identity provider. Those of a token end with it.
pub async fn end_sessions(connection: &mut AnyConnection, id: &UserId) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE identity_id IN (SELECT id FROM identities WHERE user_id = $1)")
        .bind(id.as_str())
        .execute(connection)
        .await
        .map(drop)
}

/// The organisation's people after a place in the list, by id.
pub async fn list(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    after: &str,
    limit: i64,
) -> Result<Vec<User>> {
    let rows = sqlx::query(AssertSqlSafe(format!("{SELECT} AND u.id > $2 ORDER BY u.id LIMIT $3")))
        .bind(organisation.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(listed).collect()
}

/// The organisation's person of that id.
pub async fn find(connection: &mut AnyConnection, organisation: &OrganisationId, id: &str) -> Result<Option<User>> {
    let row = sqlx::query(AssertSqlSafe(format!("{SELECT} AND u.id = $2")))
        .bind(organisation.as_str())
        .bind(id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(listed).transpose()
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

fn email(user: &User) -> Option<&str> {
    user.identity.as_ref().and_then(|identity| identity.email.as_deref())
}

/// A row with what the identity provider says.
fn listed(row: &AnyRow) -> Result<User> {
    let email = row.try_get("email")?;
    let identity = row.try_get::<Option<String>, _>("identity_id")?.map(|_| Identity { email });
    Ok(User { identity, ..user(row)? })
}

/// A row without what the identity provider says, which only lists of people show.
pub(in crate::store) fn user(row: &AnyRow) -> Result<User> {
    Ok(User {
        id: id(row, "id")?,
        organisation_id: id(row, "organisation_id")?,
        name: row.try_get("name")?,
        role: parsed(row, "role")?,
        identity: None,
        revision: unsigned(row, "revision")?,
    })
}
