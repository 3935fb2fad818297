//! A variant and its share of a rule's users.

use crate::{Key, Percentage};
use serde::{Deserialize, Serialize};

/// A variant and the percentage of the rule's users who get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The variant.
    #[serde(rename = "variantKey")]
    pub variant: Key,
    /// Its share of the users.
    pub percentage: Percentage,
}
