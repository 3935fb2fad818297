//! The response to a change that needs approval, or is scheduled.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa::IntoResponses;

use crate::app::changes::approvals::ApprovalDetails;
use crate::domain::approval::Approval;
use crate::http::api::approvals::ApprovalView;

/// The change needs approval, or is scheduled; nothing has changed yet.
#[derive(IntoResponses)]
#[response(status = 202, headers(("Location" = String, description = "The path of the approval.")))]
pub struct ApprovalRequested(#[expect(dead_code, reason = "the body in the OpenAPI document")] ApprovalView);

/// 202 with the approval and its path.
pub(in crate::http::api) fn requested(project: &str, approval: Approval) -> Response {
    let location = [(header::LOCATION, format!("/api/v1/projects/{project}/approvals/{}", approval.id))];
    let details = ApprovalDetails { approval, comments: Vec::new(), staleness: None };
    (StatusCode::ACCEPTED, location, axum::Json(ApprovalView::from(details))).into_response()
}
