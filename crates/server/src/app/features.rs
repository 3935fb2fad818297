//! Features of a project: created switched off everywhere, renamed, and moved through their lifecycle.

use flagservice_core::{Key, variant};

use super::change::{Plan, TargetingChange, make};
use super::{Actor, App, AppError, Result, projects, targeting};
use crate::ids::FeatureId;
use crate::lifecycle::Lifecycle;
use crate::store::features;
pub use crate::store::features::Feature;
use crate::store::{environments, targetings};

/// The salt of a feature that has not been given another.
const DEFAULT_SALT: &str = "1";

/// What a new feature is made of.
pub struct NewFeature {
    /// Unique in the project.
    pub key: Key,
    /// For people.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// At least two; `on` and `off` when none are given.
    pub variants: Option<Vec<Key>>,
    /// Draft or Active.
    pub lifecycle: Lifecycle,
}

/// What is to change of a feature; nothing where there is none.
#[derive(Default)]
pub struct FeatureEdit {
    /// Another name.
    pub name: Option<String>,
    /// Another description.
    pub description: Option<String>,
    /// Another status.
    pub lifecycle: Option<Lifecycle>,
}

/// The project's features, by key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project.
pub async fn list(app: &App, actor: &Actor, project: &str) -> Result<Vec<Feature>> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    Ok(features::list(&mut connection, &project.id).await?)
}

/// The project's feature of that key.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, key: &str) -> Result<Feature> {
    let mut connection = app.store.read().await?;
    let project = projects::find(&mut connection, actor, project).await?;
    let feature = features::find(&mut connection, &project.id, key).await?;
    feature.ok_or_else(|| AppError::not_found("feature", key))
}

/// Creates a feature, switched off in every environment.
///
/// # Errors
/// [`AppError::Exists`] for a key that is taken, [`AppError::Invalid`] for unusable variants.
pub async fn create(app: &App, actor: &Actor, project: &str, new: NewFeature) -> Result<Feature> {
    let variants = match new.variants {
        Some(variants) => checked(variants)?,
        None => default_variants()?,
    };
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    let project = projects::find_to_add(connection, actor, project).await?;
    if features::find(connection, &project.id, new.key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "feature", key: new.key.to_string() });
    }
    let feature = Feature {
        id: FeatureId::new(&*app.random, app.now()),
        project_id: project.id.clone(),
        key: new.key,
        name: new.name,
        description: new.description,
        lifecycle: new.lifecycle,
        salt: DEFAULT_SALT.to_owned(),
        variants,
    };
    let targetings = environments::list(connection, &project.id)
        .await?
        .into_iter()
        .map(|environment| TargetingChange { environment, before: None, after: targeting::initial(&feature) })
        .collect();
    let plan = Plan { project, before: None, after: feature.clone(), targetings, action: "feature.create" };
    make(app, actor, write, plan).await?;
    Ok(feature)
}

/// Changes a feature's name, description or lifecycle.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such feature.
pub async fn update(app: &App, actor: &Actor, project: &str, key: &str, edit: FeatureEdit) -> Result<Feature> {
    let mut write = app.store.write().await?;
    let connection = write.connection().await?;
    let project = projects::find(connection, actor, project).await?;
    let environments = environments::list(connection, &project.id).await?;
    for environment in &environments {
        environments::lock(connection, &environment.id).await?;
    }
    let before = features::find(connection, &project.id, key).await?;
    let before = before.ok_or_else(|| AppError::not_found("feature", key))?;
    let mut after = before.clone();
    after.name = edit.name.unwrap_or(after.name);
    after.description = edit.description.unwrap_or(after.description);
    after.lifecycle = edit.lifecycle.unwrap_or(after.lifecycle);
    if after == before {
        return Ok(after);
    }
    let mut changes = Vec::new();
    if after.lifecycle != before.lifecycle {
        for environment in environments {
            let stored = targetings::find(connection, &environment.id, &before.id).await?;
            let targeting = stored.map_or_else(|| targeting::initial(&before), |stored| stored.targeting);
            changes.push(TargetingChange { environment, before: Some(targeting.clone()), after: targeting });
        }
    }
    let plan =
        Plan { project, before: Some(before), after: after.clone(), targetings: changes, action: "feature.update" };
    make(app, actor, write, plan).await?;
    Ok(after)
}

fn default_variants() -> Result<Vec<Key>> {
    let keys = [variant::ON, variant::OFF].map(Key::parse);
    keys.into_iter().collect::<std::result::Result<_, _>>().map_err(|error| AppError::Internal(error.into()))
}

fn checked(variants: Vec<Key>) -> Result<Vec<Key>> {
    if variants.len() < 2 {
        return Err(AppError::invalid("/variants", "A feature needs at least two variants, or none for on and off."));
    }
    for (index, variant) in variants.iter().enumerate() {
        if variants.iter().take(index).any(|earlier| earlier == variant) {
            let detail = format!("The variant '{variant}' stands twice. Leave one out.");
            return Err(AppError::invalid(&format!("/variants/{index}"), detail));
        }
    }
    Ok(variants)
}
