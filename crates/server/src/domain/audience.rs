//! Saved audiences.

use flagservice_core::Key;
use flagservice_rules::Condition;

use crate::domain::ids::{AudienceId, EnvironmentId, ProjectId};

/// Where an audience may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AudienceScope {
    /// In every environment of the project.
    Project,
    /// In this environment only.
    Environment(EnvironmentId),
}

impl AudienceScope {
    /// Whether rules of the environment may name the audience.
    pub fn covers(&self, environment: &EnvironmentId) -> bool {
        match self {
            Self::Project => true,
            Self::Environment(only) => only == environment,
        }
    }
}

/// A saved audience.
#[derive(Clone, Debug)]
pub struct Audience {
    /// Its id.
    pub id: AudienceId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// Where it may be used.
    pub scope: AudienceScope,
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// All of which must hold.
    pub conditions: Vec<Condition>,
    /// Raised by each change of the record.
    pub revision: u64,
}
