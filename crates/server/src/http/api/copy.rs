//! `/api/v1/projects/{projectKey}/environments/copy`: copies targeting from one environment to another.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use flagservice_rules::CopySettings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::compare::copied::{Copied, CopyOutcome};
use crate::app::compare::copy::{self, CopyRequest, MAX_FEATURES, SeenVersions};
use crate::app::{App, Comment};
use crate::http::api::approvals::ReasonView;
use crate::http::extract::caller::Writer;
use crate::http::extract::idempotency::{IdempotencyKey, Once, json_response, once_in_steps, stored_response, text};
use crate::http::extract::parameters::Path;
use crate::http::extract::time::Time;
use crate::http::problem::Problem;

/// What to copy.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyBody {
    /// Key of the environment to copy from.
    source: Key,
    /// Key of the environment to copy to.
    target: Key,
    /// Keys of the features. Duplicates are ignored.
    #[schema(min_items = 1, max_items = 1000)]
    feature_keys: Vec<String>,
    /// Select at least one. The target keeps its own values for the others.
    settings: CopySettings,
    /// A message for approvers and the audit log.
    #[serde(default)]
    comment: Option<Comment>,
    /// The versions of the source's targeting that the caller has seen, by feature key. A feature with another version is skipped.
    #[serde(default)]
    source_versions: HashMap<String, u64>,
    /// The versions of the target's targeting that the caller has seen, by feature key. A feature with another version is skipped.
    #[serde(default)]
    target_versions: HashMap<String, u64>,
    /// When to make the changes, within a year. Each is a scheduled change of its own.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    scheduled_for: Option<Time>,
    /// Reports what would happen, without changing anything.
    #[serde(default)]
    dry_run: bool,
}

/// The outcome of each feature.
#[derive(Serialize, ToSchema)]
#[schema(as = CopyResult)]
#[serde(rename_all = "camelCase")]
pub struct CopyView {
    dry_run: bool,
    /// In the order of the request.
    results: Vec<CopiedView>,
}

/// The outcome of one feature.
#[derive(Serialize, ToSchema)]
#[schema(as = CopiedFeature)]
#[serde(rename_all = "camelCase")]
pub struct CopiedView {
    feature_key: String,
    outcome: OutcomeKind,
    /// For `APPLIED`: the new version of the target's targeting. Missing in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// For `APPLIED`: the version of the target's targeting that the copy replaced, or in a dry run would replace. Compare it with
    /// what you have seen if you send no `targetVersions`; the audit log has the replaced targeting.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced_version: Option<u64>,
    /// For `PENDING_APPROVAL` and `SCHEDULED`: the id of the change that waits. Missing in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_id: Option<String>,
    /// For `PENDING_APPROVAL`: what requires the approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_reasons: Option<Vec<ReasonView>>,
    /// For `SKIPPED`: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<SkipView>,
    /// Keys of the source's audiences whose conditions were copied into rules.
    audiences_copied_inline: Vec<Key>,
}

/// The outcome of copying one feature.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum OutcomeKind {
    /// The target has the selected settings of the source.
    Applied,
    /// The change must be approved first.
    PendingApproval,
    /// The change is made at its time.
    Scheduled,
    /// The target was not changed.
    Skipped,
}

/// Why a feature was skipped.
#[derive(Serialize, ToSchema)]
#[schema(as = SkipReason)]
pub struct SkipView {
    /// One of `unknownFeature`, `archived`, `pendingApproval`, `scheduledLater`, `targetChanged`, `sourceChanged`, `identical`,
    /// `unknownAudience`, `invalid`, `notPermitted`.
    code: &'static str,
    /// An explanation for people.
    detail: String,
}

impl From<Copied> for CopiedView {
    fn from(Copied { feature, outcome, inlined, replaced }: Copied) -> Self {
        let with_outcome = |outcome| Self {
            feature_key: feature,
            outcome,
            version: None,
            replaced_version: replaced,
            approval_id: None,
            approval_reasons: None,
            reason: None,
            audiences_copied_inline: inlined,
        };
        match outcome {
            CopyOutcome::Applied(version) => Self { version, ..with_outcome(OutcomeKind::Applied) },
            CopyOutcome::PendingApproval(approval, reasons) => Self {
                approval_id: approval.map(|id| id.to_string()),
                approval_reasons: Some(reasons.into_iter().map(ReasonView::from).collect()),
                ..with_outcome(OutcomeKind::PendingApproval)
            },
            CopyOutcome::Scheduled(approval) => {
                Self { approval_id: approval.map(|id| id.to_string()), ..with_outcome(OutcomeKind::Scheduled) }
            }
            CopyOutcome::Skipped(reason) => {
                let reason = SkipView { code: reason.code(), detail: reason.to_string() };
                Self { reason: Some(reason), ..with_outcome(OutcomeKind::Skipped) }
            }
        }
    }
}

/// Copies targeting from one environment to another, now or at a time to come.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/copy",
    operation_id = "copyTargeting",
    tag = "Comparison",
    params(("projectKey" = Key, Path), IdempotencyKey),
    request_body = CopyBody,
    responses((status = 200, body = CopyView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn copy(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(project): Path<String>,
    once: Once<CopyBody>,
) -> Result<Response, Problem> {
    const { assert!(MAX_FEATURES == 1000, "as the schema says") };
    let Once { body, request: key } = once;
    let dry_run = body.dry_run;
    let request = CopyRequest {
        source: body.source,
        target: body.target,
        features: body.feature_keys,
        settings: body.settings,
        comment: body.comment,
        scheduled_for: body.scheduled_for.map(|time| time.0),
        seen: SeenVersions { source: body.source_versions, target: body.target_versions },
    };
    // A repeat gets the stored response, even if the caller has lost the permission since.
    if let Some(stored) = stored_response(&app, &caller, key.as_ref()).await? {
        return Ok(stored);
    }
    let permitted = copy::permit(&app, &caller, &project, &request).await?;
    let view = |results: Vec<Copied>| {
        text(&CopyView { dry_run, results: results.into_iter().map(CopiedView::from).collect() })
    };
    if dry_run {
        let results = copy::dry_run(&app, &permitted).await?;
        return Ok(json_response(StatusCode::OK.as_u16(), None, view(results)?));
    }
    once_in_steps(&app, &caller, key, async |mut steps| {
        let body = view(copy::copy(&app, &permitted, &mut steps).await?)?;
        Ok((steps, body))
    })
    .await
}
