//! Identities of people at an identity provider: by issuer and subject, for each organisation.

use flagservice_rules::Instant;
use sqlx::AnyConnection;

use crate::domain::ids::{IdentityId, OrganisationId, UserId};
use crate::store::Result;
use crate::store::engine::columns::id;

/// An identity that somebody has signed in with.
pub struct StoredIdentity {
    /// Its id.
    pub id: IdentityId,
    /// The person, who may have been removed.
    pub user_id: UserId,
}

/// The identity of this issuer and subject.
pub async fn find(
    connection: &mut AnyConnection,
    organisation: &OrganisationId,
    issuer: &str,
    subject: &str,
) -> Result<Option<StoredIdentity>> {
    let row =
        sqlx::query("SELECT id, user_id FROM identities WHERE organisation_id = $1 AND issuer = $2 AND subject = $3")
            .bind(organisation.as_str())
            .bind(issuer)
            .bind(subject)
            .fetch_optional(connection)
            .await?;
    row.map(|row| Ok(StoredIdentity { id: id(&row, "id")?, user_id: id(&row, "user_id")? })).transpose()
}

/// Adds the identity of a person.
pub async fn insert(
    connection: &mut AnyConnection,
    identity: &StoredIdentity,
    organisation: &OrganisationId,
    (issuer, subject): (&str, &str),
    at: Instant,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO identities (id, organisation_id, issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(identity.id.as_str())
    .bind(organisation.as_str())
    .bind(issuer)
    .bind(subject)
    .bind(identity.user_id.as_str())
    .bind(at.0)
    .execute(connection)
    .await
    .map(drop)
}

/// Forgets who a person is at the provider. Returns how many identities there were.
pub async fn delete(connection: &mut AnyConnection, organisation: &OrganisationId, user_id: &str) -> Result<u64> {
    let done = sqlx::query("DELETE FROM identities WHERE organisation_id = $1 AND user_id = $2")
        .bind(organisation.as_str())
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
