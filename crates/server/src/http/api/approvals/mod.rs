//! `/api/v1/projects/{projectKey}/approvals`: changes that need approval, and scheduled changes.

pub mod comments;
pub mod decisions;
mod record_change;
mod requested;
pub mod to_decide;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use flagservice_core::Key;
use flagservice_rules::Targeting;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::changes::approvals::{self, ApprovalDetails};
use crate::app::{App, Operation};
use crate::domain::approval::{Approval, ApprovalState, Person, Reason, RecordChange, Source, Staleness};
use crate::http::api::access_tokens::TokenRefView;
use crate::http::api::approvals::record_change::RecordChangeView;
pub(super) use crate::http::api::approvals::requested::{ApprovalRequested, requested};
use crate::http::extract::caller::Reader;
use crate::http::extract::idempotency::Reply;
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::extract::version::Versioned;
use crate::http::problem::Problem;

/// A change that waits, or waited, for an approval or its time, and its state.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalSummary)]
#[serde(rename_all = "camelCase")]
pub struct SummaryView {
    id: String,
    state: ApprovalState,
    feature_key: Key,
    /// Of a change of the feature itself, which concerns all environments: one of them.
    environment_key: Key,
    kind: ChangeKind,
    /// The environment that the change copies from; null unless `kind` is `copy`.
    source_environment_key: Option<Key>,
    /// All approvals that one copy requested have the same. Null unless `kind` is `copy`.
    copy_id: Option<String>,
    requested_by: PersonView,
    requested_at: Time,
    /// The requester's comment.
    comment: String,
    /// What required the approval. Empty for a change that only waits for its time.
    reasons: Vec<ReasonView>,
    /// When the change is to be made; null: as soon as it is approved.
    scheduled_for: Option<Time>,
    /// When a scheduled change was made or given up.
    settled_at: Option<Time>,
    /// The version of the targeting before the change; of the feature if the change is one of the feature.
    target_version: u64,
    /// The person who decided. For a stale approval, the person who tried to approve it.
    decided_by: Option<PersonView>,
    /// The token that the person used.
    decided_with: Option<TokenRefView>,
    decided_at: Option<Time>,
}

/// A change that waits, or waited, for an approval or its time.
#[derive(Serialize, ToSchema)]
#[schema(as = Approval)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalView {
    #[serde(flatten)]
    summary: SummaryView,
    /// The targeting before the change.
    before: Targeting,
    /// The targeting after the change. If it is the same as before, it is accepted as it is, and served from then on.
    after: Targeting,
    /// The change of the feature itself; null for a change of targeting.
    feature: Option<RecordChangeView>,
    /// Why it can no longer be approved or made, if it is stale.
    stale: Option<StalenessView>,
    /// Oldest first.
    comments: Vec<CommentView>,
}

/// A person, with their name at that time.
#[derive(Serialize, ToSchema)]
#[schema(as = Person)]
pub struct PersonView {
    id: String,
    name: String,
}

/// What an approval changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// An edit of the targeting.
    Edit,
    /// A copy of the targeting from another environment.
    Copy,
    /// An edit of the feature, such as its lifecycle status or its type.
    Feature,
    /// The deletion of the feature.
    Deletion,
}

impl ChangeKind {
    fn of(approval: &Approval) -> Self {
        match (&approval.record_change, &approval.source) {
            (Some(RecordChange { after: None, .. }), _) => Self::Deletion,
            (Some(_), _) => Self::Feature,
            (None, Source::Copy(_)) => Self::Copy,
            (None, Source::Edit) => Self::Edit,
        }
    }
}

/// What can require approval.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GateKind {
    /// The environment of the change.
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
    /// Null unless `gate` is `phase`.
    pipeline_key: Option<Key>,
    /// Null unless `gate` is `phase`.
    pipeline_name: Option<String>,
    /// Null unless `gate` is `phase`.
    phase_name: Option<String>,
}

/// Why an approval can be stale.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StalenessKind {
    /// The targeting is not the one that the change was made for.
    TargetChanged,
    /// Nobody approved the change before its time.
    NotInTime,
    /// The change was refused at its time.
    NotPermitted,
    /// The feature or its targeting in an environment has changed since the request.
    FeatureChanged,
    /// The conditions of a saved audience that the change uses have changed.
    AudienceChanged,
    /// The feature is archived.
    FeatureArchived,
    /// The change is no longer valid.
    Invalid,
}

/// Why an approval is stale.
#[derive(Serialize, ToSchema)]
#[schema(as = Staleness)]
pub struct StalenessView {
    because: StalenessKind,
    /// An explanation for people.
    detail: String,
}

/// A comment on an approval.
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

/// The gates, without duplicates.
pub(super) fn gates(reasons: &[Reason]) -> Vec<GateKind> {
    let mut gates: Vec<_> = reasons.iter().map(GateKind::from).collect();
    gates.dedup();
    gates
}

impl From<Reason> for ReasonView {
    fn from(reason: Reason) -> Self {
        let without_phase = |gate| Self { gate, pipeline_key: None, pipeline_name: None, phase_name: None };
        match reason {
            Reason::Environment => without_phase(GateKind::Environment),
            Reason::Feature => without_phase(GateKind::Feature),
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
            Staleness::TargetChanged { .. } | Staleness::BaseChanged { .. } => StalenessKind::TargetChanged,
            Staleness::NotInTime { .. } => StalenessKind::NotInTime,
            Staleness::NotPermitted { .. } => StalenessKind::NotPermitted,
            Staleness::FeatureChanged => StalenessKind::FeatureChanged,
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
            kind: ChangeKind::of(approval),
            source_environment_key: source.cloned(),
            copy_id: approval.source.copy_id().map(ToString::to_string),
            requested_by: approval.requester.clone().into(),
            requested_at: Time(approval.requested_at),
            comment: approval.comment.clone(),
            reasons: approval.reasons.iter().cloned().map(ReasonView::from).collect(),
            scheduled_for: approval.scheduled_for.map(Time),
            settled_at: approval.settled_at.map(Time),
            target_version: approval.target_version,
            decided_by: decision.map(|decision| decision.by.clone().into()),
            decided_with: decision.and_then(|decision| decision.token.clone()).map(TokenRefView::from),
            decided_at: decision.map(|decision| Time(decision.at)),
        }
    }
}

impl From<ApprovalDetails> for ApprovalView {
    fn from(ApprovalDetails { approval, comments, staleness }: ApprovalDetails) -> Self {
        let comments = comments.into_iter().map(|comment| CommentView {
            author: comment.author.into(),
            at: Time(comment.at),
            text: comment.text,
        });
        Self {
            summary: SummaryView::from(&approval),
            before: approval.before,
            after: approval.after,
            feature: approval.record_change.map(RecordChangeView::from),
            stale: staleness.map(StalenessView::from),
            comments: comments.collect(),
        }
    }
}

/// The project and the id in the path.
type Address = Path<(String, String)>;

fn versioned(details: ApprovalDetails) -> Versioned<ApprovalView> {
    Versioned { version: details.approval.revision, view: details.into() }
}

fn reply(operation: Operation<'_>, status: StatusCode, details: ApprovalDetails) -> Result<Reply<'_>, Problem> {
    let Versioned { version, view } = versioned(details);
    Reply::json(operation, status, Some(version), &view)
}

/// Filters for approvals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalQuery {
    /// Only approvals in this state.
    state: Option<ApprovalState>,
    /// Only approvals for this feature.
    #[param(value_type = Option<Key>)]
    feature_key: Option<String>,
    /// Only approvals for this environment, and for features themselves.
    #[param(value_type = Option<Key>)]
    environment_key: Option<String>,
}

/// Lists the project's approvals, newest first.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/approvals",
    operation_id = "listApprovals",
    tag = "Approvals",
    params(("projectKey" = Key, Path), PageQuery, ApprovalQuery),
    responses((status = 200, body = List<SummaryView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(project): Path<String>,
    Query(page): Query<PageQuery>,
    Query(query): Query<ApprovalQuery>,
) -> Result<axum::Json<List<SummaryView>>, Problem> {
    let filter = approvals::ApprovalQuery {
        state: query.state,
        feature: query.feature_key.as_deref(),
        environment: query.environment_key.as_deref(),
    };
    let found = approvals::list(&app, &caller, &project, &filter, &page.page()?).await?;
    Ok(List::from_page(found, |approval| SummaryView::from(&approval)))
}

/// Reads an approval: the targeting before and after, the comments, and whether it is stale.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/approvals/{approvalId}",
    operation_id = "readApproval",
    tag = "Approvals",
    params(("projectKey" = Key, Path), ("approvalId" = String, Path)),
    responses((status = 200, body = ApprovalView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, id)): Address,
) -> Result<Versioned<ApprovalView>, Problem> {
    Ok(versioned(approvals::read(&app, &caller, &project, &id).await?))
}
