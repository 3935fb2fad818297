//! Projects.

use flagservice_core::Key;

use crate::domain::ids::{OrganisationId, ProjectId};

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Its organisation.
    pub organisation_id: OrganisationId,
    /// Unique in the organisation.
    pub key: Key,
    /// For people.
    pub name: String,
    /// Raised by each change of the record.
    pub revision: u64,
}
