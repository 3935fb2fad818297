//! `…/approvals/{approvalId}/{approve,reject,cancel}`: the decision on an approval.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use flagservice_rules::Patterns;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::changes::decisions::{self, Approving};
use crate::app::{Actor, App, AppError, Remark};
use crate::http::api::approvals::{Address, ApprovalView, reply};
use crate::http::extract::caller::Writer;
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once, stored_response};
use crate::http::extract::parameters::Path;
use crate::http::problem::Problem;

/// The fields of a decision.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The reason; added to the comments.
    comment: Option<Remark>,
}

/// Approves a change and applies it, unless it is stale.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/approvals/{approvalId}/approve",
    operation_id = "approveChange",
    tag = "Approvals",
    params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey),
    request_body = Decision,
    responses((status = 200, body = ApprovalView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn approve(
    State(app): State<Arc<App>>,
    caller: Writer,
    address: Address,
    once: Once<Decision>,
) -> Result<Response, Problem> {
    decide(&app, &caller, address, once, Verdict::Approve).await
}

/// Rejects a change. It is not applied.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/approvals/{approvalId}/reject",
    operation_id = "rejectChange",
    tag = "Approvals",
    params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey),
    request_body = Decision,
    responses((status = 200, body = ApprovalView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn reject(
    State(app): State<Arc<App>>,
    caller: Writer,
    address: Address,
    once: Once<Decision>,
) -> Result<Response, Problem> {
    decide(&app, &caller, address, once, Verdict::Reject).await
}

/// Cancels a change. Only the requester or an administrator can cancel it.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/approvals/{approvalId}/cancel",
    operation_id = "cancelChange",
    tag = "Approvals",
    params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey),
    request_body = Decision,
    responses((status = 200, body = ApprovalView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn cancel(
    State(app): State<Arc<App>>,
    caller: Writer,
    address: Address,
    once: Once<Decision>,
) -> Result<Response, Problem> {
    decide(&app, &caller, address, once, Verdict::Cancel).await
}

/// What to do with the approval.
#[derive(Clone, Copy)]
enum Verdict {
    Approve,
    Reject,
    Cancel,
}

async fn decide(
    app: &App,
    caller: &Actor,
    Path((project, id)): Address,
    Once { body, request }: Once<Decision>,
    verdict: Verdict,
) -> Result<Response, Problem> {
    // A repeat gets the stored response: an approved deletion has deleted the approval.
    if let Some(stored) = stored_response(app, caller, request.as_ref()).await? {
        return Ok(stored);
    }
    let _patterns = match verdict {
        Verdict::Approve => decisions::compile_ahead(app, caller, &project, &id).await?,
        Verdict::Reject | Verdict::Cancel => Patterns::default(),
    };
    once(app, caller, request, async |mut operation| {
        let details = match verdict {
            Verdict::Approve => match decisions::approve(&mut operation, &project, &id, body.comment).await? {
                Approving::Applied(details) => *details,
                Approving::Stale(staleness) => {
                    return Ok(Reply::error(operation, AppError::ApprovalStale(staleness).into()));
                }
            },
            Verdict::Reject => decisions::reject(&mut operation, &project, &id, body.comment).await?,
            Verdict::Cancel => decisions::cancel(&mut operation, &project, &id, body.comment).await?,
        };
        reply(operation, StatusCode::OK, details)
    })
    .await
}
