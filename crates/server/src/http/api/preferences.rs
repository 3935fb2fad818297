//! `/api/v1/projects/{projectKey}/preferences`: what the caller has set for the feature list.

use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::resources::preferences;
use crate::app::{App, Name, ViewQuery};
use crate::domain::user::{Preferences, SavedView};
use crate::http::extract::caller::Reader;
use crate::http::extract::json::Json;
use crate::http::extract::parameters::Path;
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// The caller's favourites and saved views of a project's feature list.
#[derive(Serialize, ToSchema)]
#[schema(as = Preferences)]
pub struct PreferencesView {
    /// The keys of features. Keys of deleted features are kept.
    favourites: Vec<Key>,
    views: Vec<SavedView>,
}

/// The caller's new favourites and saved views. They replace all that were there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPreferences {
    /// The keys of features. Duplicates are ignored.
    #[schema(max_items = 1000)]
    favourites: Vec<Key>,
    /// Each has another name.
    #[schema(max_items = 50)]
    views: Vec<NewView>,
}

/// A filter of the feature list with a name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewView {
    name: Name,
    /// The filter and the order as in the URL of the list, without the question mark.
    query: ViewQuery,
}

impl From<NewView> for SavedView {
    fn from(NewView { name, query }: NewView) -> Self {
        Self { name: name.into(), query: query.into() }
    }
}

fn versioned(Preferences { favourites, views, revision }: Preferences) -> Versioned<PreferencesView> {
    Versioned { version: revision, view: PreferencesView { favourites, views } }
}

/// Reads the caller's favourites and saved views.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/preferences",
    operation_id = "readPreferences",
    tag = "Features",
    params(("projectKey" = Key, Path)),
    responses((status = 200, body = PreferencesView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
) -> Result<Versioned<PreferencesView>, Problem> {
    Ok(versioned(preferences::read(&app, &caller, &project).await?))
}

/// Replaces the caller's favourites and saved views. Nobody else sees them.
#[utoipa::path(
    put,
    path = "/projects/{projectKey}/preferences",
    operation_id = "replacePreferences",
    tag = "Features",
    params(("projectKey" = Key, Path), IfMatch),
    request_body = NewPreferences,
    responses((status = 200, body = PreferencesView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    IfMatch(if_match): IfMatch,
    Json(NewPreferences { favourites, views }): Json<NewPreferences>,
) -> Result<Versioned<PreferencesView>, Problem> {
    let views = views.into_iter().map(SavedView::from).collect();
    Ok(versioned(preferences::replace(&app, &caller, &project, favourites, views, if_match).await?))
}
