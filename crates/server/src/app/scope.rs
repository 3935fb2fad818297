//! What a request needs of the scope of its token. `http/extract/scope.rs` says what each route needs.

use std::fmt;

use crate::app::AppError;
use crate::domain::access_token::scope::Scope;

/// What a request does, as far as a scope decides on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need<'a> {
    /// It reads what the organisation has in common, or a list that shows only what the scope includes.
    ReadShared,
    /// It reads the project, apart from what its environments serve.
    ReadProject(&'a str),
    /// It reads what an environment of the project serves.
    ReadEnvironment(&'a str, &'a str),
    /// It changes something in the project that the operation asks for again: only the path is known now.
    ChangeInProject(&'a str),
    /// It changes something that all environments of the project have in common.
    ChangeProject(&'a str),
    /// It changes something in an environment of the project.
    ChangeEnvironment(&'a str, &'a str),
    /// It reads or changes what belongs to the whole organisation: people, tokens, integrations, new projects.
    Organisation,
}

impl Need<'_> {
    /// Whether the scope includes it.
    pub(super) fn is_met_by(self, scope: &Scope) -> bool {
        let may_change = !scope.is_read_only();
        match self {
            Self::ReadShared => true,
            Self::ReadProject(project) => scope.touches_project(project),
            Self::ReadEnvironment(project, environment) => scope.has_environment(project, environment),
            Self::ChangeInProject(project) => may_change && scope.touches_project(project),
            Self::ChangeProject(project) => may_change && scope.has_project(project),
            Self::ChangeEnvironment(project, environment) => may_change && scope.has_environment(project, environment),
            Self::Organisation => false,
        }
    }
}

impl fmt::Display for Need<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadShared => f.write_str("reading"),
            Self::ReadProject(project) => write!(f, "reading the project {project}"),
            Self::ReadEnvironment(project, environment) => {
                write!(f, "reading the environment {environment} of {project}")
            }
            Self::ChangeInProject(project) => write!(f, "changing anything in the project {project}"),
            Self::ChangeProject(project) => write!(f, "changing what all environments of {project} have in common"),
            Self::ChangeEnvironment(project, environment) => {
                write!(f, "changing the environment {environment} of {project}")
            }
            Self::Organisation => f.write_str("the people, tokens, integrations and settings of the organisation"),
        }
    }
}

/// Why a request is refused that the token's scope does not include.
pub(super) fn out_of_scope(scope: &Scope, need: impl fmt::Display) -> AppError {
    AppError::ForbiddenUse(format!(
        "The token's scope is: {scope}. This does not include {need}. Use a token whose scope includes it, or one without a scope."
    ))
}
