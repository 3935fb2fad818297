//! What the caller has set for the pages of a project: favourites and saved views of the feature list. They change nothing for
//! others, so they are not in the audit log.

use std::collections::HashSet;

use flagservice_core::Key;

use crate::app::changes::revision;
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, IfMatch, Result};
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
/// A read-only token may do this, so it takes no turn and no lock from requests that change the project.
///
/// # Errors
/// [`AppError::Invalid`] for too many and for two views of one name, [`AppError::Stale`] if another page of the caller changed them since.
pub async fn replace(
    app: &App,
    actor: &Actor,
    project: &str,
    favourites: Vec<Key>,
    views: Vec<SavedView>,
    if_match: IfMatch,
) -> Result<Preferences> {
    let mut seen = HashSet::new();
    let favourites: Vec<_> = favourites.into_iter().filter(|key| seen.insert(key.clone())).collect();
    check(&favourites, &views)?;
    let mut after = Preferences { favourites, views, revision: 0 };
    loop {
        let mut write = app.begin_bulk().await?;
        let connection = write.connection().await?;
        let project = projects::find(connection, actor, project).await?;
        let before = preferences::get(connection, &actor.user_id, &project.id).await?.unwrap_or_default();
        revision::check(if_match.clone(), before.revision)?;
        after.revision = before.revision + 1;
        if preferences::set(connection, &actor.user_id, &project.id, before.revision, &after).await? {
            app.commit(write).await?;
            return Ok(after);
        }
        // Another page of the caller has saved in the meantime.
    }
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
