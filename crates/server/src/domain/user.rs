//! People who work with the platform.

use crate::domain::ids::{OrganisationId, UserId};
use crate::domain::role::Role;

/// A person of an organisation.
#[derive(Clone, Debug)]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// The organisation, which everything that the person does is confined to.
    pub organisation_id: OrganisationId,
    /// As annotations and the audit log name the person.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// Raised by each change of the record.
    pub revision: u64,
}
