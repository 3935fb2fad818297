//! What a feature does in one environment.

use crate::{Key, Rule};
use serde::{Deserialize, Serialize};

/// The targeting of a feature in an environment, as it is written: off gives the off variant, else the first rule that
/// matches decides, else the off variant again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Targeting {
    /// Whether the rules are in force.
    pub enabled: bool,
    /// The variant served while targeting is off, and when no rule matches.
    #[serde(rename = "offVariantKey")]
    pub off_variant: Key,
    /// In order: the first that matches decides.
    pub rules: Vec<Rule>,
}
