//! How often goals were reached, by feature and variant.

use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, Page, Paged, Result};
use crate::domain::goal::GoalCount;
use crate::store::resources::goals;

/// The environment's goals, by key.
///
/// # Errors
/// [`crate::app::AppError::NotFound`] for an unknown project or environment.
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
