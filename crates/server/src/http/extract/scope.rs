//! What each route of the REST API needs of the scope of a token. A route that is not named here gets the strictest answer that its path
//! allows; `tests/every_route_is_guarded.rs` has a row for each.

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::Method;
use axum::http::request::Parts;

use crate::app::Need;

/// Where the paths of the REST API begin; below `/ui` too.
const BASE: &str = "/api/v1";

/// What people who work on a project need of the organisation, and lists that show only what the scope includes.
const SHARED: [&str; 8] =
    ["/organisation", "/me", "/users", "/users/{userId}", "/tokens", "/projects", "/approvals", "/audit-log"];

/// Reads by `POST`.
const PREVIEW: &str = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview";

/// What decides on one environment whose key is not in the path, and what a person keeps for themselves in a project.
const IN_PROJECT: [&str; 6] = [
    "/projects/{projectKey}/environments/copy",
    "/projects/{projectKey}/preferences",
    "/projects/{projectKey}/approvals/{approvalId}/approve",
    "/projects/{projectKey}/approvals/{approvalId}/reject",
    "/projects/{projectKey}/approvals/{approvalId}/cancel",
    "/projects/{projectKey}/approvals/{approvalId}/comments",
];

/// An environment itself.
const ENVIRONMENT: &str = "/projects/{projectKey}/environments/{environmentKey}";

/// The route of a request, and the keys in its path.
pub(super) struct Route {
    method: Method,
    path: String,
    project: Option<String>,
    environment: Option<String>,
}

impl Route {
    pub(super) async fn of<S: Send + Sync>(parts: &mut Parts, state: &S) -> Self {
        let matched = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let path = matched.split_once(BASE).map_or("", |(_, path)| path).to_owned();
        let parameters = RawPathParams::from_request_parts(parts, state).await.ok();
        let key = |wanted: &str| {
            let found = parameters.iter().flatten().find(|(name, _)| *name == wanted);
            found.map(|(_, key)| key.to_owned())
        };
        let (project, environment) = (key("projectKey"), key("environmentKey"));
        Self { method: parts.method.clone(), path, project, environment }
    }

    /// The key of the project in the path.
    pub(super) fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }

    /// What it needs.
    pub(super) fn need(&self) -> Need<'_> {
        let path = self.path.as_str();
        let reads = self.method.is_safe() || path == PREVIEW;
        match (self.project(), self.environment.as_deref()) {
            (None, _) if reads && SHARED.contains(&path) => Need::ReadShared,
            (None, _) => Need::Organisation,
            (Some(project), Some(environment)) if reads => Need::ReadEnvironment(project, environment),
            (Some(project), Some(_)) if path == ENVIRONMENT && self.method == Method::DELETE => {
                Need::ChangeProject(project)
            }
            (Some(project), Some(environment)) => Need::ChangeEnvironment(project, environment),
            (Some(project), None) if reads => Need::ReadProject(project),
            (Some(project), None) if IN_PROJECT.contains(&path) => Need::ChangeInProject(project),
            (Some(project), None) => Need::ChangeProject(project),
        }
    }
}
