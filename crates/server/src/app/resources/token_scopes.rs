//! The scope of a new access token: checked, and found among what the organisation has.

use flagservice_core::Key;

use crate::app::resources::{environments, projects};
use crate::app::{Actor, AppError, Result};
use crate::domain::access_token::scope::{Access, Place, Scope};
use crate::store::Connection;

/// The most projects and environments of a scope.
pub const MAX_PLACES: usize = 50;

/// What a new token is limited to.
pub struct NewScope {
    /// Whether it may change anything.
    pub access: Access,
    /// The keys of projects; none: not limited to projects.
    pub projects: Option<Vec<Key>>,
    /// The keys of environments, each with its project's; none: not limited to environments.
    pub environments: Option<Vec<ScopedEnvironment>>,
}

/// An environment of a project, by their keys.
pub struct ScopedEnvironment {
    /// The key of the project.
    pub project: Key,
    /// The key of the environment.
    pub environment: Key,
}

impl NewScope {
    /// The scope, in which no place comes twice.
    ///
    /// # Errors
    /// [`AppError::Invalid`] for one that limits nothing, or names nothing or too much, [`AppError::UnknownReference`] for an unknown
    /// project or environment.
    pub(in crate::app) async fn resolve(self, connection: &mut Connection, actor: &Actor) -> Result<Scope> {
        self.check()?;
        let is_limited = self.projects.is_some() || self.environments.is_some();
        let mut scope = Scope { access: self.access, places: is_limited.then(Vec::new) };
        let Some(places) = &mut scope.places else { return Ok(scope) };
        for (index, key) in self.projects.unwrap_or_default().into_iter().enumerate() {
            let project = projects::find(connection, actor, key.as_str()).await;
            let project = project.map_err(|error| error.of_reference(format!("/scope/projects/{index}")))?;
            if places.iter().all(|place: &Place| place.project_id != project.id) {
                places.push(Place { project_id: project.id, project: project.key, environment: None });
            }
        }
        for (index, keys) in self.environments.unwrap_or_default().into_iter().enumerate() {
            let pointer = |field: &str| format!("/scope/environments/{index}/{field}");
            let project = projects::find(connection, actor, keys.project.as_str()).await;
            let project = project.map_err(|error| error.of_reference(pointer("projectKey")))?;
            let environment = environments::find(connection, &project, keys.environment.as_str()).await;
            let environment = environment.map_err(|error| error.of_reference(pointer("environmentKey")))?;
            let own = Some((environment.id, environment.key));
            let includes = |place: &Place| {
                place.project_id == project.id && (place.environment.is_none() || place.environment == own)
            };
            if !places.iter().any(includes) {
                places.push(Place { project_id: project.id, project: project.key, environment: own });
            }
        }
        places.sort_by(|left, right| left.keys().cmp(&right.keys()));
        Ok(scope)
    }

    fn check(&self) -> Result<()> {
        let (projects, environments) = (self.projects.as_ref().map(Vec::len), self.environments.as_ref().map(Vec::len));
        let named = projects.unwrap_or_default() + environments.unwrap_or_default();
        let (pointer, detail) = match (projects, environments) {
            (Some(0), _) => ("/scope/projects", "Name at least one project, or leave the field out.".to_owned()),
            (_, Some(0)) => {
                ("/scope/environments", "Name at least one environment, or leave the field out.".to_owned())
            }
            (None, None) if self.access == Access::ReadWrite => (
                "/scope",
                "This limits nothing. Choose readOnly, name projects or environments, or leave it out.".to_owned(),
            ),
            _ if named > MAX_PLACES => {
                ("/scope", format!("A scope has at most {MAX_PLACES} projects and environments. Name whole projects."))
            }
            _ => return Ok(()),
        };
        Err(AppError::invalid(pointer, detail))
    }
}
