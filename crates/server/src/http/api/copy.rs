//! `/api/v1/projects/{projectKey}/environments/copy`: targeting copied from one environment to another.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use flagservice_rules::CopySettings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::compare::copy::{self, Copied, CopyOutcome, CopyRequest, MAX_FEATURES};
use crate::app::{App, Comment};
use crate::http::api::approvals::ReasonView;
use crate::http::extract::caller::Writer;
use crate::http::extract::idempotency::{IdempotencyKey, Once, answer, answered, once_in_steps, text};
use crate::http::extract::parameters::Path;
use crate::http::problem::Problem;

/// What is to be copied.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyBody {
    /// Key of the environment that it comes from.
    source: Key,
    /// Key of the environment that it goes to.
    target: Key,
    /// Keys of the features; one that comes again counts once, at its first place.
    #[schema(min_items = 1, max_items = 1000)]
    feature_keys: Vec<String>,
    /// At least one; the target keeps its own of those that are not selected.
    settings: CopySettings,
    /// For those who approve the copy, and for the audit log.
    #[serde(default)]
    comment: Option<Comment>,
    /// Versions of the target's targetings as the caller saw them, by feature key: a feature whose version is another by now
    /// is skipped.
    #[serde(default)]
    target_versions: HashMap<String, u64>,
    /// Changes nothing, and tells what would happen.
    #[serde(default)]
    dry_run: bool,
}

/// What became of each feature.
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
    /// Of `APPLIED`: the version of the target's targeting. A dry run has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// Of `PENDING_APPROVAL`: the approval that it waits for. A dry run asks for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_id: Option<String>,
    /// Of `PENDING_APPROVAL`: what requires it.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval_reasons: Option<Vec<ReasonView>>,
    /// Of `SKIPPED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<SkipView>,
    /// Keys of the source's audiences whose conditions stand inline in what was copied.
    audiences_copied_inline: Vec<Key>,
}

/// What became of a feature.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum OutcomeKind {
    /// The target has the selected settings of the source.
    Applied,
    /// It does not have them yet: somebody must approve that first.
    PendingApproval,
    /// It was left as it is.
    Skipped,
}

/// Why a feature was left as it is.
#[derive(Serialize, ToSchema)]
#[schema(as = SkipReason)]
pub struct SkipView {
    /// Stable: `unknownFeature`, `archived`, `pendingApproval`, `targetChanged`, `identical`, `unknownAudience`, `invalid`.
    code: &'static str,
    /// In plain words.
    detail: String,
}

impl From<Copied> for CopiedView {
    fn from(Copied { feature, outcome, inlined }: Copied) -> Self {
        let of = |outcome| Self {
            feature_key: feature,
            outcome,
            version: None,
            approval_id: None,
            approval_reasons: None,
            reason: None,
            audiences_copied_inline: inlined,
        };
        match outcome {
            CopyOutcome::Applied(version) => Self { version, ..of(OutcomeKind::Applied) },
            CopyOutcome::PendingApproval(approval, reasons) => Self {
                approval_id: approval.map(|id| id.to_string()),
                approval_reasons: Some(reasons.into_iter().map(ReasonView::from).collect()),
                ..of(OutcomeKind::PendingApproval)
            },
            CopyOutcome::Skipped(reason) => {
                let shown = SkipView { code: reason.code(), detail: reason.to_string() };
                Self { reason: Some(shown), ..of(OutcomeKind::Skipped) }
            }
        }
    }
}

/// Copies targeting from one environment to another.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/copy",
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
        seen: body.target_versions,
    };
    // What was done is answered again, also to somebody who could not do it any more.
    if let Some(done) = answered(&app, &caller, key.as_ref()).await? {
        return Ok(done);
    }
    let permitted = copy::permit(&app, &caller, &project, &request).await?;
    let view = |results: Vec<Copied>| {
        text(&CopyView { dry_run, results: results.into_iter().map(CopiedView::from).collect() })
    };
    if dry_run {
        let results = copy::dry_run(&app, &permitted).await?;
        return Ok(answer(StatusCode::OK.as_u16(), None, view(results)?));
    }
    once_in_steps(&app, &caller, key, async |mut steps| {
        let body = view(copy::copy(&app, &permitted, &mut steps).await?)?;
        Ok((steps, body))
    })
    .await
}
