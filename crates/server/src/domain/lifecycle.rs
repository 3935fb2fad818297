//! The lifecycle status of a feature: Draft, Active or Archived.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A feature's lifecycle status. Drafts evaluate like active features; archived ones are not evaluated and not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum Lifecycle {
    /// In preparation.
    Draft,
    /// In use.
    Active,
    /// No longer in use.
    Archived,
}

impl Lifecycle {
    const ALL: [Self; 3] = [Self::Draft, Self::Active, Self::Archived];

    /// The name in the specification.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "Draft",
            Self::Active => "Active",
            Self::Archived => "Archived",
        }
    }

    /// Whether clients receive the feature.
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
