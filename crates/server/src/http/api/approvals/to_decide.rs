//! `/api/v1/approvals`: what waits for the caller's decision, in all projects.

use std::sync::Arc;

use axum::extract::State;
use flagservice_core::Key;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::app::changes::approvals;
use crate::domain::approval::NamedApproval;
use crate::http::api::approvals::SummaryView;
use crate::http::extract::caller::Reader;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::Query;
use crate::http::problem::Problem;

/// A pending approval, with the names of what it is about.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalToDecide)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalToDecideView {
    #[serde(flatten)]
    summary: SummaryView,
    project_key: Key,
    project_name: String,
    feature_name: String,
    environment_name: String,
    /// Null unless `kind` is `copy`.
    source_environment_name: Option<String>,
    /// Whether the change is in a production environment. A change of the feature itself is in all environments of the project.
    production: bool,
}

impl From<NamedApproval> for ApprovalToDecideView {
    fn from(named: NamedApproval) -> Self {
        Self {
            summary: SummaryView::from(&named.approval),
            project_key: named.project_key,
            project_name: named.project_name,
            feature_name: named.feature_name,
            environment_name: named.environment_name,
            source_environment_name: named.source_environment_name,
            production: named.production,
        }
    }
}

/// Lists the pending approvals of all projects that the caller can decide on, newest first.
///
/// Leaves out those that the caller requested, and those in production if the caller may not change production.
#[utoipa::path(
    get,
    path = "/approvals",
    operation_id = "listApprovalsToDecide",
    tag = "Approvals",
    params(PageQuery),
    responses((status = 200, body = List<ApprovalToDecideView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<List<ApprovalToDecideView>>, Problem> {
    Ok(List::from_page(approvals::list_to_decide(&app, &caller, &page.page()?).await?, ApprovalToDecideView::from))
}
