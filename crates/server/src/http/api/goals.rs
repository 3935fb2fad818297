//! `…/environments/{environmentKey}/goals`: goal counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::resources::goals;
use crate::app::{App, EnvironmentRef};
use crate::domain::goal::GoalCount;
use crate::http::extract::caller::Reader;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::problem::Problem;

/// How often a goal was reached. A goal that is sent twice counts once.
#[derive(Serialize, ToSchema)]
#[schema(as = Goal)]
pub struct GoalView {
    key: String,
    count: u64,
    /// Counts by feature and variant.
    features: BTreeMap<String, BTreeMap<String, u64>>,
}

impl From<GoalCount> for GoalView {
    fn from(goal: GoalCount) -> Self {
        Self { key: goal.key, count: goal.count, features: goal.features }
    }
}

/// Lists the environment's goals by key, with counts by feature and variant.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/goals",
    operation_id = "listGoals",
    tag = "Goals",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<GoalView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, environment)): Path<(String, String)>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<GoalView>>, Problem> {
    let environment = EnvironmentRef { project: &project, environment: &environment };
    Ok(List::from_page(goals::counts(&app, &caller, environment, &query.page()?).await?, GoalView::from))
}
