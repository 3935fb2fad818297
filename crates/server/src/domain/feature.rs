//! Features of a project, and their lifecycle.

use std::fmt;

use flagservice_core::{Key, variant};
use serde::{Deserialize, Serialize};

use crate::domain::ids::{EnvironmentId, FeatureId, PipelineId, ProjectId, UserId};

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
    /// The type that typed SDKs give its values.
    pub value_type: ValueType,
    /// Words by which people find features.
    pub tags: Vec<String>,
    /// The person who looks after it.
    #[serde(default)]
    pub owner_id: Option<UserId>,
    /// Whether every change of its targeting is held for approval.
    pub approval_required: bool,
    /// The release pipeline that it is assigned to.
    pub pipeline_id: Option<PipelineId>,
    /// The phase of the pipeline that it is in, by the phase's environment; none: the first.
    pub phase_environment_id: Option<EnvironmentId>,
    /// Raised by each change of the record; its targetings have versions of their own.
    pub revision: u64,
}

/// The type of a feature's values in typed SDKs, such as OpenFeature's. It is stored, so that it changes only when someone
/// changes it: an SDK rejects a value of another type than its caller expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ValueType {
    /// `on` is true and `off` is false. The feature has no other variants.
    Boolean,
    /// The variant's key is the value.
    String,
}

impl ValueType {
    const ALL: [Self; 2] = [Self::Boolean, Self::String];

    /// The type of a feature with these variants if nobody chooses another.
    pub fn of(variants: &[Key]) -> Self {
        let is_boolean = variants.iter().all(|variant| matches!(variant.as_str(), variant::ON | variant::OFF));
        if is_boolean { Self::Boolean } else { Self::String }
    }

    /// The name in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::String => "string",
        }
    }

    /// Whether a feature with these variants can have this type.
    pub fn fits(self, variants: &[Key]) -> bool {
        self == Self::String || Self::of(variants) == Self::Boolean
    }
}

impl TryFrom<String> for ValueType {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or_else(|| format!("unknown type '{text}'"))
    }
}

/// Which features are asked for.
#[derive(Default)]
pub struct FeatureFilter<'a> {
    /// Only of this status.
    pub lifecycle: Option<Lifecycle>,
    /// Only with this tag.
    pub tag: Option<&'a str>,
}

/// A feature's lifecycle status. Drafts evaluate like active features; archived ones are not evaluated and not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum Lifecycle {
    /// Being prepared.
    Draft,
    /// In use.
    Active,
    /// Out of use.
    Archived,
}

impl Lifecycle {
    const ALL: [Self; 3] = [Self::Draft, Self::Active, Self::Archived];

    /// The specification's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "Draft",
            Self::Active => "Active",
            Self::Archived => "Archived",
        }
    }

    /// Whether clients get the feature.
    pub fn is_evaluated(self) -> bool {
        match self {
            Self::Draft | Self::Active => true,
            Self::Archived => false,
        }
    }
}

impl fmt::Display for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for Lifecycle {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or_else(|| format!("unknown status '{text}'"))
    }
}
