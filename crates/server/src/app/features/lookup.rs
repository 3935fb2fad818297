//! Finds a feature by its key.

use crate::app::{AppError, Result};
use crate::domain::feature::Feature;
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::resources::features;

/// The project's feature with that key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown key.
pub(in crate::app) async fn find(connection: &mut Connection, project: &Project, key: &str) -> Result<Feature> {
    let feature = features::find(connection, &project.id, key).await?;
    feature.ok_or_else(|| AppError::not_found("feature", key))
}
