//! What a person may do: one role in an organisation, each including the rights of those after it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A person's role. The order is that of rights: a greater role may do all that a lesser one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// Reads and compares, changes nothing.
    ReadOnly,
    /// Changes everything outside production.
    Editor,
    /// Changes production too.
    ProductionEditor,
    /// Administers the organisation.
    Administrator,
}

impl Role {
    const ALL: [Self; 4] = [Self::ReadOnly, Self::Editor, Self::ProductionEditor, Self::Administrator];

    /// The word for it in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "readOnly",
            Self::Editor => "editor",
            Self::ProductionEditor => "productionEditor",
            Self::Administrator => "administrator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl TryFrom<String> for Role {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or_else(|| format!("unknown role '{text}'"))
    }
}
