//! A project as one JSON document: all that people wrote, by keys. No ids, no versions, no client keys, no counts.

use std::collections::BTreeMap;

use flagservice_core::Key;
use flagservice_rules::{Condition, Targeting};
use serde::{Deserialize, Serialize};

use crate::app::json::{self, Unreadable};
use crate::app::{AppError, Description, Name, Result, Salt, Tag};
use crate::domain::feature::{Lifecycle, ValueType};

/// What the document says it is.
pub const FORMAT: &str = "flagservice-project";

/// The version of the format that is written. A release that changes the format raises it, and reads the earlier ones.
///
/// | Version | What is new |
/// |---|---|
/// | 1 | |
/// | 2 | `phaseEnvironmentKey` of features; without it, a feature is in its pipeline's first phase |
/// | 3 | `type` of features; without it, a feature has the type of its variants |
pub const FORMAT_VERSION: u32 = 3;

/// A project.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Document {
    pub(super) format: String,
    pub(super) format_version: u32,
    pub(super) project: ProjectPart,
    /// In their order.
    pub(super) environments: Vec<EnvironmentPart>,
    /// By key, as all that follow.
    pub(super) audiences: Vec<AudiencePart>,
    pub(super) pipelines: Vec<PipelinePart>,
    pub(super) features: Vec<FeaturePart>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ProjectPart {
    pub(super) key: Key,
    pub(super) name: Name,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EnvironmentPart {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) production: bool,
    pub(super) approval_required: bool,
    pub(super) allowed_origins: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AudiencePart {
    pub(super) key: Key,
    pub(super) name: Name,
    /// The one environment that may use it; `null`: all of them.
    pub(super) environment_key: Option<Key>,
    pub(super) conditions: Vec<Condition>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PipelinePart {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) phases: Vec<PhasePart>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PhasePart {
    pub(super) name: Name,
    pub(super) environment_key: Key,
    pub(super) approval_required: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FeaturePart {
    pub(super) key: Key,
    pub(super) name: Name,
    pub(super) description: Description,
    pub(super) lifecycle: Lifecycle,
    pub(super) salt: Salt,
    pub(super) variants: Vec<Key>,
    #[serde(default, rename = "type")]
    pub(super) value_type: Option<ValueType>,
    pub(super) tags: Vec<Tag>,
    pub(super) approval_required: bool,
    pub(super) pipeline_key: Option<Key>,
    /// The environment of the pipeline's phase that it is in.
    #[serde(default)]
    pub(super) phase_environment_key: Option<Key>,
    /// By the key of the environment. Where there is none, the feature is off.
    pub(super) targetings: BTreeMap<Key, Targeting>,
}

/// What every document has, whatever its version.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    format: String,
    format_version: u32,
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// [`AppError::Invalid`] points at what cannot be read.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let not_ours = |_| AppError::invalid("", "This is no document that `export` wrote. Use one as it was written.");
        let header: Header = json::parse(text).map_err(not_ours)?;
        if header.format != FORMAT {
            let detail =
                format!("This is a '{}', not a '{FORMAT}'. Use a document that `export` wrote.", header.format);
            return Err(AppError::invalid("/format", detail));
        }
        if !(1..=FORMAT_VERSION).contains(&header.format_version) {
            let detail = format!(
                "The document has version {} of the format, and this release reads versions 1 to {FORMAT_VERSION}. Use the \
                 release that wrote it, or a later one.",
                header.format_version
            );
            return Err(AppError::invalid("/formatVersion", detail));
        }
        json::parse(text).map_err(|unreadable| match unreadable {
            Unreadable::Malformed(detail) => AppError::invalid("", detail),
            Unreadable::Invalid(violation) => AppError::Invalid(vec![violation]),
        })
    }

    /// The document as it is written: two exports of the same project are the same bytes.
    ///
    /// # Errors
    /// Only when it cannot be written as JSON, which every project can.
    pub fn to_text(&self) -> Result<String> {
        let mut text = serde_json::to_string_pretty(self).map_err(anyhow::Error::new)?;
        text.push('\n');
        Ok(text)
    }

    /// How many features it has.
    pub fn feature_count(&self) -> usize {
        self.features.len()
    }

    /// The project's key.
    pub fn project_key(&self) -> &Key {
        &self.project.key
    }
}
