//! `/api/v1/projects/{projectKey}/approvals`: changes of targeting that wait for approval.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use flagservice_rules::Targeting;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::changes::approvals::{self, Shown, Wanted};
use crate::app::changes::decisions::{self, Approving};
use crate::app::{App, AppError, Operation, Remark};
use crate::domain::approval::{Approval, ApprovalState, Person, Reason, Staleness};
use crate::domain::ids::ApprovalId;
use crate::http::extract::caller::{Reader, Writer};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::extract::version::Versioned;
use crate::http::problem::Problem;

/// What an approval is about, and where it stands.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalSummary, example = json!({ "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90", "state": "pending", "featureKey": "new-checkout", "environmentKey": "production", "kind": "edit", "sourceEnvironmentKey": null, "requestedBy": { "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f", "name": "Edda Okafor" }, "requestedAt": "2026-11-21T10:42:01Z", "comment": "Half of Denmark, for the weekend.", "reasons": [{ "gate": "environment", "pipelineKey": null, "pipelineName": null, "phaseName": null }], "targetVersion": 17, "decidedBy": null, "decidedAt": null }))]
#[serde(rename_all = "camelCase")]
pub struct SummaryView {
    id: String,
    state: ApprovalState,
    feature_key: Key,
    environment_key: Key,
    kind: ChangeKind,
    /// The environment that is copied from; null: nothing is copied.
    source_environment_key: Option<Key>,
    requested_by: PersonView,
    requested_at: Time,
    /// What the requester said of it.
    comment: String,
    /// What required the approval.
    reasons: Vec<ReasonView>,
    /// The version of the targeting that the change was made for.
    target_version: u64,
    /// Of a stale one: who tried to approve it.
    decided_by: Option<PersonView>,
    decided_at: Option<Time>,
}

/// A change of targeting that waits, or waited, for approval.
#[derive(Serialize, ToSchema)]
#[schema(as = Approval, example = json!({ "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90", "state": "pending", "featureKey": "new-checkout", "environmentKey": "production", "kind": "edit", "sourceEnvironmentKey": null, "requestedBy": { "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f", "name": "Edda Okafor" }, "requestedAt": "2026-11-21T10:42:01Z", "comment": "Half of Denmark, for the weekend.", "reasons": [{ "gate": "environment", "pipelineKey": null, "pipelineName": null, "phaseName": null }], "targetVersion": 17, "decidedBy": null, "decidedAt": null, "before": { "enabled": false, "offVariantKey": "off", "rules": [] }, "after": { "enabled": true, "offVariantKey": "off", "rules": [{ "name": "A fifth of Danes", "conditions": [{ "attribute": "country", "operator": "equals", "values": ["DK"] }], "splits": [{ "variantKey": "on", "percentage": 20 }, { "variantKey": "off", "percentage": 80 }] }] }, "stale": null, "comments": [{ "author": { "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e70", "name": "Pablo Reyes" }, "at": "2026-11-21T10:45:00Z", "text": "Why Denmark first?" }] }))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalView {
    #[serde(flatten)]
    summary: SummaryView,
    /// The targeting that the change was made for.
    before: Targeting,
    /// The targeting that it wants.
    after: Targeting,
    /// Why it can no longer be approved; null: it can, or was decided on otherwise.
    stale: Option<StalenessView>,
    /// Oldest first.
    comments: Vec<CommentView>,
}

/// A person, by the name that they had then.
#[derive(Serialize, ToSchema)]
#[schema(as = Person)]
pub struct PersonView {
    id: String,
    name: String,
}

/// Where a change of targeting comes from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// Somebody edits the targeting.
    Edit,
    /// Somebody copies it from another environment.
    Copy,
}

/// What can require an approval.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GateKind {
    /// The environment that is changed.
    Environment,
    /// The feature.
    Feature,
    /// A phase of the feature's pipeline in that environment.
    Phase,
}

/// What required an approval.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalReason)]
#[serde(rename_all = "camelCase")]
pub struct ReasonView {
    gate: GateKind,
    /// Of a phase.
    pipeline_key: Option<Key>,
    /// Of a phase.
    pipeline_name: Option<String>,
    /// Of a phase.
    phase_name: Option<String>,
}

/// What can make an approval stale.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StalenessKind {
    /// The targeting is another than the one that the change was made for.
    TargetChanged,
    /// A saved audience that the change names has other conditions.
    AudienceChanged,
    /// The feature is archived.
    FeatureArchived,
    /// The change breaks a rule by now.
    Invalid,
}

/// Why an approval is stale.
#[derive(Serialize, ToSchema)]
#[schema(as = Staleness)]
pub struct StalenessView {
    because: StalenessKind,
    /// In plain words.
    detail: String,
}

/// What somebody said about a change.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalComment)]
pub struct CommentView {
    author: PersonView,
    at: Time,
    text: String,
}

impl From<Person> for PersonView {
    fn from(person: Person) -> Self {
        Self { id: person.id.to_string(), name: person.name }
    }
}

impl From<&Reason> for GateKind {
    fn from(reason: &Reason) -> Self {
        match reason {
            Reason::Environment => Self::Environment,
            Reason::Feature => Self::Feature,
            Reason::Phase { .. } => Self::Phase,
        }
    }
}

/// The gates alone, each once.
pub(super) fn gates(reasons: &[Reason]) -> Vec<GateKind> {
    let mut gates: Vec<_> = reasons.iter().map(GateKind::from).collect();
    gates.dedup();
    gates
}

impl From<Reason> for ReasonView {
    fn from(reason: Reason) -> Self {
        let of_feature = |gate| Self { gate, pipeline_key: None, pipeline_name: None, phase_name: None };
        match reason {
            Reason::Environment => of_feature(GateKind::Environment),
            Reason::Feature => of_feature(GateKind::Feature),
            Reason::Phase { pipeline_key, pipeline_name, phase_name } => Self {
                gate: GateKind::Phase,
                pipeline_key: Some(pipeline_key),
                pipeline_name: Some(pipeline_name),
                phase_name: Some(phase_name),
            },
        }
    }
}

impl From<Staleness> for StalenessView {
    fn from(staleness: Staleness) -> Self {
        let because = match &staleness {
            Staleness::TargetChanged { .. } => StalenessKind::TargetChanged,
            Staleness::AudienceChanged => StalenessKind::AudienceChanged,
            Staleness::FeatureArchived => StalenessKind::FeatureArchived,
            Staleness::Invalid { .. } => StalenessKind::Invalid,
        };
        Self { because, detail: staleness.to_string() }
    }
}

impl From<&Approval> for SummaryView {
    fn from(approval: &Approval) -> Self {
        let source = approval.source.environment();
        let decision = approval.decision.as_ref();
        Self {
            id: approval.id.to_string(),
            state: approval.state,
            feature_key: approval.feature_key.clone(),
            environment_key: approval.environment_key.clone(),
            kind: if source.is_some() { ChangeKind::Copy } else { ChangeKind::Edit },
            source_environment_key: source.cloned(),
            requested_by: approval.requester.clone().into(),
            requested_at: Time(approval.requested_at),
            comment: approval.comment.clone(),
            reasons: approval.reasons.iter().cloned().map(ReasonView::from).collect(),
            target_version: approval.target_version,
            decided_by: decision.map(|decision| decision.by.clone().into()),
            decided_at: decision.map(|decision| Time(decision.at)),
        }
    }
}

impl From<Shown> for ApprovalView {
    fn from(Shown { approval, comments, staleness }: Shown) -> Self {
        let said = comments.into_iter().map(|comment| CommentView {
            author: comment.author.into(),
            at: Time(comment.at),
            text: comment.text,
        });
        Self {
            summary: SummaryView::from(&approval),
            before: approval.before,
            after: approval.after,
            stale: staleness.map(StalenessView::from),
            comments: said.collect(),
        }
    }
}

fn versioned(shown: Shown) -> Versioned<ApprovalView> {
    Versioned { version: shown.approval.revision, view: shown.into() }
}

fn reply(operation: Operation<'_>, status: StatusCode, shown: Shown) -> Result<Reply<'_>, Problem> {
    let Versioned { version, view } = versioned(shown);
    Reply::answer(operation, status, Some(version), &view)
}

/// An approval that was asked for just now.
pub(super) fn new(approval: Approval) -> ApprovalView {
    Shown { approval, comments: Vec::new(), staleness: None }.into()
}

/// Where the approval is.
pub(super) fn location(project: &str, id: &ApprovalId) -> String {
    format!("/api/v1/projects/{project}/approvals/{id}")
}

/// Which approvals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalQuery {
    /// Only those that stand there.
    state: Option<ApprovalState>,
    /// Only of this feature.
    #[param(value_type = Option<Key>)]
    feature_key: Option<String>,
    /// Only of this environment.
    #[param(value_type = Option<Key>)]
    environment_key: Option<String>,
}

/// Lists the project's approvals, newest first.
#[utoipa::path(get, path = "/projects/{projectKey}/approvals", tag = "Approvals", params(("projectKey" = Key, Path), PageQuery, ApprovalQuery), responses((status = 200, body = List<SummaryView>)), security(("personalAccessToken" = ["readOnly"])))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(page): Query<PageQuery>,
    Query(query): Query<ApprovalQuery>,
) -> Result<axum::Json<List<SummaryView>>, Problem> {
    let wanted = Wanted {
        state: query.state,
        feature: query.feature_key.as_deref(),
        environment: query.environment_key.as_deref(),
    };
    let found = approvals::list(&app, &caller, &project, &wanted, &page.page()?).await?;
    Ok(List::of(found, |approval| SummaryView::from(&approval)))
}

/// Reads an approval: the targeting before and after, what was said, and whether it could be approved now.
#[utoipa::path(get, path = "/projects/{projectKey}/approvals/{approvalId}", tag = "Approvals", params(("projectKey" = Key, Path), ("approvalId" = String, Path)), responses((status = 200, body = ApprovalView)), security(("personalAccessToken" = ["readOnly"])))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, id)): Path<(String, String)>,
) -> Result<Versioned<ApprovalView>, Problem> {
    Ok(versioned(approvals::read(&app, &caller, &project, &id).await?))
}

/// What goes with a decision.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "comment": "Looks right." }))]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Why; it stands among the comments.
    comment: Option<Remark>,
}

/// Approves a change and makes it, if it is still the change that was asked for.
#[utoipa::path(post, path = "/projects/{projectKey}/approvals/{approvalId}/approve", tag = "Approvals", params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey), request_body = Decision, responses((status = 200, body = ApprovalView)), security(("personalAccessToken" = ["editor"])))]
pub async fn approve(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, id)): Path<(String, String)>,
    Once { body, request }: Once<Decision>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        match decisions::approve(&mut operation, (&project, &id), body.comment).await? {
            Approving::Applied(shown) => reply(operation, StatusCode::OK, *shown),
            Approving::Stale(staleness) => Ok(Reply::refusal(operation, AppError::ApprovalStale(staleness).into())),
        }
    })
    .await
}

/// Rejects a change, which is then not made.
#[utoipa::path(post, path = "/projects/{projectKey}/approvals/{approvalId}/reject", tag = "Approvals", params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey), request_body = Decision, responses((status = 200, body = ApprovalView)), security(("personalAccessToken" = ["editor"])))]
pub async fn reject(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, id)): Path<(String, String)>,
    Once { body, request }: Once<Decision>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let shown = decisions::reject(&mut operation, (&project, &id), body.comment).await?;
        reply(operation, StatusCode::OK, shown)
    })
    .await
}

/// Takes a change back, which is then not made: its requester's, or an administrator's.
#[utoipa::path(post, path = "/projects/{projectKey}/approvals/{approvalId}/cancel", tag = "Approvals", params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey), request_body = Decision, responses((status = 200, body = ApprovalView)), security(("personalAccessToken" = ["editor"])))]
pub async fn cancel(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, id)): Path<(String, String)>,
    Once { body, request }: Once<Decision>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let shown = decisions::cancel(&mut operation, (&project, &id), body.comment).await?;
        reply(operation, StatusCode::OK, shown)
    })
    .await
}

/// What somebody says about a change.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "comment": "Why Denmark first?" }))]
#[serde(deny_unknown_fields)]
pub struct NewComment {
    comment: Remark,
}

/// Says something about a change, decided on or not.
#[utoipa::path(post, path = "/projects/{projectKey}/approvals/{approvalId}/comments", tag = "Approvals", params(("projectKey" = Key, Path), ("approvalId" = String, Path), IdempotencyKey), request_body = NewComment, responses((status = 201, body = ApprovalView)), security(("personalAccessToken" = ["editor"])))]
pub async fn comment(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, id)): Path<(String, String)>,
    Once { body, request }: Once<NewComment>,
) -> Result<Response, Problem> {
    once(&app, &caller, request, async |mut operation| {
        let shown = approvals::comment(&mut operation, (&project, &id), body.comment).await?;
        reply(operation, StatusCode::CREATED, shown)
    })
    .await
}
