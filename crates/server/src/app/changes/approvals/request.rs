//! Requests: a change that waits for an approval, or for its time, exactly as it was asked for.

use flagservice_rules::Targeting;

use crate::app::changes::approvals::{announce, person, record_approval_audit};
use crate::app::changes::audit::BeforeAfter;
use crate::app::changes::plan::{ChangeNote, Plan, TargetingChange};
use crate::app::changes::{staleness, targeting};
use crate::app::{AppError, Operation, Result};
use crate::domain::approval::{Approval, ApprovalState, Reason, RecordChange};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::ApprovalId;
use crate::store::Connection;
use crate::store::changes::approvals;

/// Requests an approval for the plan. `environment` is the one that requires it.
///
/// # Errors
/// [`AppError::Archived`] for a targeting of an archived feature: nobody could approve the change.
pub(in crate::app::changes) async fn request(
    operation: &mut Operation<'_>,
    plan: &Plan,
    note: ChangeNote,
    environment: Environment,
    reasons: Vec<Reason>,
) -> Result<Approval> {
    let approval = insert(operation, plan, note, environment, Requires::Approval(reasons)).await?;
    record_approval_audit(operation, "approval.request", &plan.project, BeforeAfter::created(&approval)).await?;
    announce(operation, &plan.project, &approval, None).await?;
    Ok(approval)
}

/// Keeps a change of one targeting, which needs no approval, until its time.
///
/// # Errors
/// [`AppError::Archived`] for a targeting of an archived feature.
pub(in crate::app::changes) async fn schedule(
    operation: &mut Operation<'_>,
    plan: &Plan,
    note: ChangeNote,
) -> Result<Approval> {
    let [TargetingChange { environment, .. }] = plan.targetings.as_slice() else {
        return Err(anyhow::anyhow!("a scheduled change is one of one targeting").into());
    };
    let approval = insert(operation, plan, note, environment.clone(), Requires::Nothing).await?;
    record_approval_audit(operation, "change.schedule", &plan.project, BeforeAfter::created(&approval)).await?;
    Ok(approval)
}

/// What a change waits for beside its time.
enum Requires {
    Approval(Vec<Reason>),
    Nothing,
}

async fn insert(
    operation: &mut Operation<'_>,
    plan: &Plan,
    note: ChangeNote,
    environment: Environment,
    requires: Requires,
) -> Result<Approval> {
    let feature = plan.gated_feature();
    let connection = operation.write.connection().await?;
    let Covered { before, after, record_change, target_version, digest } =
        cover(connection, plan, feature, &environment).await?;
    let (state, reasons) = match requires {
        Requires::Approval(reasons) => (ApprovalState::Pending, reasons),
        Requires::Nothing => (ApprovalState::Scheduled, Vec::new()),
    };
    let at = operation.app.now();
    let id = ApprovalId::new(&*operation.app.random, at);
    let approval = Approval {
        project_id: plan.project.id.clone(),
        feature_id: feature.id.clone(),
        feature_key: feature.key.clone(),
        environment_id: environment.id,
        environment_key: environment.key,
        state,
        source: note.source.requested_as(&id),
        requester: person(operation.actor),
        requested_at: at,
        comment: note.comment,
        reasons,
        scheduled_for: note.scheduled_for,
        before,
        after,
        record_change,
        target_version,
        digest,
        decision: None,
        staleness: None,
        settled_at: None,
        revision: 1,
        id,
    };
    approvals::insert(connection, &approval).await?;
    Ok(approval)
}

/// What an approval covers: exactly this change.
struct Covered {
    before: Targeting,
    after: Targeting,
    record_change: Option<RecordChange>,
    target_version: u64,
    digest: String,
}

async fn cover(
    connection: &mut Connection,
    plan: &Plan,
    feature: &Feature,
    environment: &Environment,
) -> Result<Covered> {
    let current = targeting::current(connection, &environment.id, feature).await?;
    if let Some(change) = plan.record_change() {
        let digest = staleness::digest_of_record(connection, &change).await?;
        let (before, after) = (current.targeting.clone(), current.targeting);
        let target_version = change.before.revision;
        return Ok(Covered { before, after, record_change: Some(change), target_version, digest });
    }
    if !feature.lifecycle.is_evaluated() {
        return Err(AppError::Archived(feature.key.clone()));
    }
    let [TargetingChange { before: Some(before), after, .. }] = plan.targetings.as_slice() else {
        return Err(anyhow::anyhow!("an approval covers one targeting, or a change of the record").into());
    };
    // As it will be read back, because the digest must not depend on how the database rounds a number.
    let (before, after) = (staleness::as_stored(before)?, staleness::as_stored(after)?);
    let digest = staleness::digest(connection, environment, &before, &after).await?;
    Ok(Covered { before, after, record_change: None, target_version: current.version, digest })
}
