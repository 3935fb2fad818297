//! The scope of an access token: what it may do at most. It only takes away from the role of the token's person.

use std::collections::BTreeSet;
use std::fmt;

use flagservice_core::Key;

use crate::domain::ids::{EnvironmentId, ProjectId};
use crate::domain::role::Role;

/// What a token is limited to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Whether it may change anything.
    pub access: Access,
    /// Where; none: in all projects. Without any place left, nowhere.
    pub places: Option<Vec<Place>>,
}

/// What a token may do in its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TokenAccess)]
pub enum Access {
    /// Read, with the rights of the role `readOnly`.
    ReadOnly,
    /// Also change what the role of its person allows.
    ReadWrite,
}

/// A project, or one of its environments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The project.
    pub project_id: ProjectId,
    /// Its key.
    pub project: Key,
    /// The environment; none: the whole project.
    pub environment: Option<(EnvironmentId, Key)>,
}

impl Place {
    /// Its keys, by which places are ordered.
    pub fn keys(&self) -> (&str, Option<&str>) {
        (self.project.as_str(), self.environment.as_ref().map(|(_, key)| key.as_str()))
    }
}

impl Access {
    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "readOnly",
            Self::ReadWrite => "readWrite",
        }
    }
}

impl TryFrom<String> for Access {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = [Self::ReadOnly, Self::ReadWrite];
        known.into_iter().find(|access| access.as_str() == text).ok_or_else(|| format!("unknown access '{text}'"))
    }
}

impl Scope {
    /// Whether it allows no change.
    pub fn is_read_only(&self) -> bool {
        self.access == Access::ReadOnly
    }

    /// The most that remains of a role.
    pub fn limit(&self, role: Role) -> Role {
        if self.is_read_only() { role.min(Role::ReadOnly) } else { role }
    }

    /// Whether it includes the project, or one of its environments.
    pub fn touches_project(&self, project: &str) -> bool {
        self.is_anywhere(|place| place.project.as_str() == project)
    }

    /// Whether it includes the whole project.
    pub fn has_project(&self, project: &str) -> bool {
        self.is_anywhere(|place| place.project.as_str() == project && place.environment.is_none())
    }

    /// Whether it includes the environment.
    pub fn has_environment(&self, project: &str, environment: &str) -> bool {
        self.is_anywhere(|place| {
            let own = place.environment.as_ref().is_none_or(|(_, key)| key.as_str() == environment);
            place.project.as_str() == project && own
        })
    }

    /// The keys of the projects that it includes in whole or in part, in their order; none: all.
    pub fn projects(&self) -> Option<BTreeSet<&str>> {
        Some(self.places.as_deref()?.iter().map(|place| place.project.as_str()).collect())
    }

    /// The key of the one project in which the token may be used; none if there are several, or all, or none.
    pub fn only_project(&self) -> Option<&str> {
        let (first, others) = self.places.as_deref()?.split_first()?;
        others.iter().all(|other| other.project == first.project).then_some(first.project.as_str())
    }

    fn is_anywhere(&self, is_included: impl FnMut(&Place) -> bool) -> bool {
        self.places.as_ref().is_none_or(|places| places.iter().any(is_included))
    }
}

/// In words, for people: `read only, in the project shop and the environment staging of shop`.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.access {
            Access::ReadOnly => "read only",
            Access::ReadWrite => "read and write",
        })?;
        match self.places.as_deref() {
            None => f.write_str(", in all projects"),
            Some([]) => f.write_str(", in projects and environments that have been deleted"),
            Some([first, others @ ..]) => {
                write!(f, ", in {first}")?;
                let Some((last, between)) = others.split_last() else { return Ok(()) };
                between.iter().try_for_each(|place| write!(f, ", {place}"))?;
                write!(f, " and {last}")
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.environment {
            None => write!(f, "the project {}", self.project),
            Some((_, environment)) => write!(f, "the environment {environment} of {}", self.project),
        }
    }
}
