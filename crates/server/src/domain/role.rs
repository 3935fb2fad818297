//! A person's role in an organisation, which decides what they may do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A person's role. Each role includes the permissions of the roles before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// Can read and compare, but not change anything.
    ReadOnly,
    /// Can change everything outside production.
    Editor,
    /// Can also change production.
    ProductionEditor,
    /// Can also administer the organisation.
    Administrator,
}

impl Role {
    const ALL: [Self; 4] = [Self::ReadOnly, Self::Editor, Self::ProductionEditor, Self::Administrator];

    /// The name in the database and in JSON.
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
