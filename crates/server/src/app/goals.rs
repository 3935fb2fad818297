//! How often goals were reached, by feature and variant.

use super::{Actor, App, Page, Paged, Result, environments, projects};
use crate::store::goals;
pub use crate::store::goals::{Goal, GoalCount};

/// The environment's goals, by key.
///
/// # Errors
/// [`super::AppError::NotFound`] for an unknown project or environment.
pub async fn counts(
    app: &App,
    actor: &Actor,
    (project, environment): (&str, &str),
    page: &Page,
) -> Result<Paged<GoalCount>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let environment = environments::find(connection, &project, environment).await?;
    let found = goals::counts(connection, &environment.id, &page.after, page.fetch()).await?;
    Ok(page.of(found, |goal| goal.key.as_str()))
}
