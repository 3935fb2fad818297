//! Features of a project.

use flagservice_core::Key;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{EnvironmentId, FeatureId, PipelineId, ProjectId};
use crate::domain::lifecycle::Lifecycle;

/// A feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Feature {
    /// Its id.
    pub id: FeatureId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Draft, Active or Archived.
    pub lifecycle: Lifecycle,
    /// Puts users into other buckets than features with another salt.
    pub salt: String,
    /// The variants that it can have, in the order that people gave them.
    pub variants: Vec<Key>,
    /// Words by which people find features.
    pub tags: Vec<String>,
    /// Whether every change of its targeting is held for approval.
    pub approval_required: bool,
    /// The release pipeline that it is assigned to.
    pub pipeline_id: Option<PipelineId>,
    /// The phase of the pipeline that it is in, by the phase's environment; none: the first.
    pub phase_environment_id: Option<EnvironmentId>,
    /// Raised by each change of the record; its targetings have versions of their own.
    pub revision: u64,
}

/// Which features are asked for.
#[derive(Default)]
pub struct FeatureFilter<'a> {
    /// Only of this status.
    pub lifecycle: Option<Lifecycle>,
    /// Only with this tag.
    pub tag: Option<&'a str>,
}
