//! `…/approvals/{approvalId}/comments`: the comments on an approval.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::changes::approvals;
use crate::app::{App, Remark};
use crate::http::api::approvals::{Address, ApprovalView, reply};
use crate::http::extract::caller::Writer;
use crate::http::extract::idempotency::{IdempotencyKey, Once, once};
use crate::http::extract::parameters::Path;
use crate::http::problem::Problem;

/// The fields of a new comment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewComment {
    comment: Remark,
}

/// Adds a comment to an approval, also after the decision.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/approvals/{approvalId}/comments",
    operation_id = "addApprovalComment",
    tag = "Approvals",
    params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey),
    request_body = NewComment,
    responses((status = 201, body = ApprovalView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn comment(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, id)): Address,
    Once { body, request }: Once<NewComment>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let details = approvals::comment(&mut operation, &project, &id, body.comment).await?;
        reply(operation, StatusCode::CREATED, details)
    })
    .await
}
