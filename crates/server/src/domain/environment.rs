//! Environments of a project.

use flagservice_core::Key;

use crate::domain::ids::{EnvironmentId, ProjectId};

/// An environment.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Its id.
    pub id: EnvironmentId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// Whether changing it needs the production right.
    pub production: bool,
    /// Whether every change of targeting in it is held for approval.
    pub approval_required: bool,
    /// Origins allowed to use its client keys; all if empty.
    pub allowed_origins: Vec<String>,
    /// Raised by each change of the record, other than `version`.
    pub revision: u64,
    /// Where it stands among the project's environments.
    pub position: u64,
    /// Random; new after a restore.
    pub epoch: u64,
    /// Raised by each change.
    pub version: u64,
}

/// What those who follow the environments are woken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wake {
    /// An environment changed.
    Environment {
        /// Which one.
        environment: EnvironmentId,
        /// Its version now; none when it is gone.
        version: Option<u64>,
    },
    /// Any of them may have changed.
    All,
}
