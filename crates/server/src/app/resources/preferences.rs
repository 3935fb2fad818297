//! What the caller has set for the pages of a project: favourites and saved views of the feature list. They change nothing for
//! others, so they are not in the audit log.

use std::collections::HashSet;

use flagservice_core::Key;

use crate::app::changes::revision;
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, IfMatch, Operation, Result};
use crate::domain::user::{Preferences, SavedView};
use crate::store::resources::preferences;

/// The most favourites in a project.
const MAX_FAVOURITES: usize = 1_000;

/// The most saved views in a project.
const MAX_VIEWS: usize = 50;

/// The caller's preferences.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn read(app: &App, actor: &Actor, project: &str) -> Result<Preferences> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    Ok(preferences::get(connection, &actor.user_id, &project.id).await?.unwrap_or_default())
}

/// Replaces the caller's preferences. A favourite that is named twice counts once.
///
/// # Errors
/// [`AppError::Invalid`] for too many and for two views of one name, [`AppError::Stale`] if another page of the caller changed them since.
pub async fn replace(
    operation: &mut Operation<'_>,
    project: &str,
    favourites: Vec<Key>,
    views: Vec<SavedView>,
    if_match: IfMatch,
) -> Result<Preferences> {
    let mut seen = HashSet::new();
    let favourites: Vec<_> = favourites.into_iter().filter(|key| seen.insert(key.clone())).collect();
    check(&favourites, &views)?;
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let user = &operation.actor.user_id;
    let before = preferences::get(connection, user, &project.id).await?.unwrap_or_default();
    revision::check(if_match, before.revision)?;
    let after = Preferences { favourites, views, revision: before.revision + 1 };
    preferences::set(connection, user, &project.id, &after).await?;
    Ok(after)
}

fn check(favourites: &[Key], views: &[SavedView]) -> Result<()> {
    if favourites.len() > MAX_FAVOURITES {
        let detail = format!("A person has at most {MAX_FAVOURITES} favourites in a project. Leave out others.");
        return Err(AppError::invalid("/favourites", detail));
    }
    if views.len() > MAX_VIEWS {
        let detail = format!("A person has at most {MAX_VIEWS} views in a project. Delete one first.");
        return Err(AppError::invalid("/views", detail));
    }
    let mut names = HashSet::new();
    match views.iter().position(|view| !names.insert(view.name.as_str())) {
        Some(place) => {
            Err(AppError::invalid(&format!("/views/{place}/name"), "Another view has this name. Choose another."))
        }
        None => Ok(()),
    }
}
