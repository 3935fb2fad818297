//! Release pipelines.

use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{EnvironmentId, PipelineId, ProjectId};

/// A phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Phase {
    /// For people.
    pub name: String,
    /// Where features of this phase are released.
    pub environment_id: EnvironmentId,
    /// Whether a change of targeting there is held for approval.
    pub approval_required: bool,
}

/// A release pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Its id.
    pub id: PipelineId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// In the order in which features pass them.
    pub phases: Vec<Phase>,
    /// Raised by each change of the record.
    pub revision: u64,
}
