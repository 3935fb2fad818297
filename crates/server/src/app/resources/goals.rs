//! How often goals were reached, by feature and variant.

use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, EnvironmentRef, Page, Paged, Result};
use crate::domain::goal::GoalCount;
use crate::store::resources::goals;

/// The environment's goals, by key.
///
/// # Errors
/// [`crate::app::AppError::NotFound`] for an unknown project or environment.
pub async fn counts(
    app: &App,
    actor: &Actor,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
    page: &Page,
) -> Result<Paged<GoalCount>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let environment = environments::find(connection, &project, environment).await?;
    let counts = goals::counts(connection, &environment.id, &page.after, page.fetch()).await?;
    Ok(page.paginate(counts, |goal| goal.key.as_str()))
}
