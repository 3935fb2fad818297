//! `/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}`: a feature's targeting.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use flagservice_core::Key;
use flagservice_rules::{Rule, ServedSummary, Targeting};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::changes::change::EditResult;
use crate::app::resources::targeting::{self, TargetingDetails};
use crate::app::{Actor, App, Comment, Edit, Operation, Remark, TargetingRef};
use crate::domain::targeting::StoredTargeting;
use crate::http::api::approvals::{self, ApprovalRequested};
use crate::http::extract::caller::{ProductionEditor, Reader, Writer};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::Json;
use crate::http::extract::parameters::Path;
use crate::http::extract::time::Time;
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// The targeting of a feature in an environment, with its version.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetingView {
    enabled: bool,
    off_variant_key: Key,
    rules: Vec<Rule>,
    /// What users get, in short.
    served: ServedSummary,
    version: u64,
}

/// Changes to targeting. Missing fields stay the same.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetingEdit {
    enabled: Option<bool>,
    off_variant_key: Option<Key>,
    rules: Option<Vec<Rule>>,
    /// A message for approvers and the audit log.
    comment: Option<Comment>,
    /// When to make the change, within a year. It is made for what the targeting is then by the changes that are already scheduled; a
    /// change that is not in the schedule makes it stale.
    #[schema(value_type = Option<String>, format = DateTime)]
    scheduled_for: Option<Time>,
}

/// The targeting that replaces the current one.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetingReplacement {
    pub(super) enabled: bool,
    pub(super) off_variant_key: Key,
    pub(super) rules: Vec<Rule>,
    /// A message for approvers and the audit log.
    comment: Option<Comment>,
    /// When to make the change; see `updateTargeting`.
    #[schema(value_type = Option<String>, format = DateTime)]
    scheduled_for: Option<Time>,
}

type Address = Path<(String, String, String)>;

fn versioned(TargetingDetails { stored, served }: TargetingDetails) -> Versioned<TargetingView> {
    let StoredTargeting { targeting: Targeting { enabled, off_variant, rules }, version, .. } = stored;
    Versioned { version, view: TargetingView { enabled, off_variant_key: off_variant, rules, served, version } }
}

/// Reads a feature's targeting in an environment.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
    operation_id = "readTargeting",
    tag = "Targeting",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path)),
    responses((status = 200, body = TargetingView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, feature, environment)): Address,
) -> Result<Versioned<TargetingView>, Problem> {
    let address = TargetingRef { project: &project, feature: &feature, environment: &environment };
    Ok(versioned(targeting::read(&app, &caller, address).await?))
}

/// Replaces a feature's targeting in an environment, schedules the change, or requests approval for it. A targeting that is not served
/// yet is accepted by sending it as it is.
#[utoipa::path(
    put,
    path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
    operation_id = "replaceTargeting",
    tag = "Targeting",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path), IfMatch),
    request_body = TargetingReplacement,
    responses(
        (status = 200, body = TargetingView),
        ApprovalRequested,
    ),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn replace(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature, environment)): Address,
    IfMatch(if_match): IfMatch,
    Json(replacement): Json<TargetingReplacement>,
) -> Result<Response, Problem> {
    let fields = targeting::TargetingEdit {
        enabled: Some(replacement.enabled),
        off_variant: Some(replacement.off_variant_key),
        rules: Some(replacement.rules),
        comment: replacement.comment,
        scheduled_for: replacement.scheduled_for.map(|time| time.0),
    };
    let address = TargetingRef { project: &project, feature: &feature, environment: &environment };
    write(&app, &caller, address, Edit { fields, if_match }).await
}

/// Changes parts of a feature's targeting in an environment, schedules the change, or requests approval for it.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}",
    operation_id = "updateTargeting",
    tag = "Targeting",
    params(("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path), IfMatch),
    request_body = TargetingEdit,
    responses(
        (status = 200, body = TargetingView),
        ApprovalRequested,
    ),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, feature, environment)): Address,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<TargetingEdit>,
) -> Result<Response, Problem> {
    let fields = targeting::TargetingEdit {
        enabled: edit.enabled,
        off_variant: edit.off_variant_key,
        rules: edit.rules,
        comment: edit.comment,
        scheduled_for: edit.scheduled_for.map(|time| time.0),
    };
    let address = TargetingRef { project: &project, feature: &feature, environment: &environment };
    write(&app, &caller, address, Edit { fields, if_match }).await
}

async fn write(
    app: &App,
    caller: &Actor,
    address: TargetingRef<'_>,
    edit: Edit<targeting::TargetingEdit>,
) -> Result<Response, Problem> {
    let _patterns = targeting::compile_ahead(app, caller, address, &edit.fields).await?;
    let mut operation = Operation::begin(app, caller).await?;
    let outcome = targeting::update(&mut operation, address, edit).await?;
    operation.commit().await?;
    Ok(match outcome {
        EditResult::Applied(details) => versioned(details).into_response(),
        EditResult::PendingApproval(approval) => approvals::requested(address.project, *approval),
    })
}

/// Why targeting is switched off without an approval.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BreakGlass {
    /// For the audit log and the annotation.
    reason: Remark,
}

/// Switches targeting off at once, also where an approval is required or pending (break-glass). Open pages follow immediately;
/// the reason is in the audit log and in the annotation. Changes of the targeting that wait for an approval or for their time become
/// stale, also if it is off already.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/break-glass",
    operation_id = "switchOffNow",
    tag = "Targeting",
    params(
        ("projectKey" = Key, Path), ("featureKey" = Key, Path), ("environmentKey" = Key, Path), IdempotencyKey,
    ),
    request_body = BreakGlass,
    responses((status = 200, body = TargetingView)),
    security(("personalAccessToken" = ["productionEditor"])),
)]
pub async fn break_glass(
    State(app): State<Arc<App>>,
    caller: ProductionEditor,
    Path((project, feature, environment)): Address,
    Once { body, request }: Once<BreakGlass>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let address = TargetingRef { project: &project, feature: &feature, environment: &environment };
        let details = targeting::break_glass(&mut operation, address, body.reason).await?;
        let Versioned { version, view } = versioned(details);
        Reply::json(operation, StatusCode::OK, Some(version), &view)
    })
    .await
}
