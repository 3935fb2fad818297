//! Scheduled changes that are given up: those after them were made for what they would have left, so they are given up too.

use flagservice_rules::Instant;

use crate::app::changes::approvals::{announce, record_approval_audit};
use crate::app::changes::audit::BeforeAfter;
use crate::app::{Operation, Result};
use crate::domain::approval::{Approval, ApprovalState, Staleness};
use crate::domain::ids::{EnvironmentId, FeatureId};
use crate::domain::project::Project;
use crate::store::changes::approvals;

/// Marks a change that waits for its time as stale, and those that are scheduled after it.
///
/// # Errors
/// When the database fails.
pub(in crate::app::changes) async fn give_up(
    operation: &mut Operation<'_>,
    project: &Project,
    approval: Approval,
    staleness: Staleness,
) -> Result<()> {
    let ended = mark_stale(operation, project, approval, staleness).await?;
    give_up_later(operation, project, &ended).await
}

/// Marks the changes that are scheduled after one as stale, if that one has ended and was not made. Otherwise a later one could be made
/// that finds what it was made for by chance: `on` is also there when `off` was cancelled.
///
/// # Errors
/// When the database fails.
pub(in crate::app::changes) async fn give_up_later(
    operation: &mut Operation<'_>,
    project: &Project,
    ended: &Approval,
) -> Result<()> {
    let (ApprovalState::Rejected | ApprovalState::Cancelled | ApprovalState::Stale, Some(earlier)) =
        (ended.state, ended.scheduled_for)
    else {
        return Ok(());
    };
    let connection = operation.write.connection().await?;
    let later = approvals::scheduled_after(connection, &ended.environment_id, &ended.feature_id, earlier).await?;
    for approval in later {
        mark_stale(operation, project, approval, Staleness::BaseChanged { earlier: Some(earlier) }).await?;
    }
    Ok(())
}

/// Marks every change of a targeting that waits for an approval or for its time as stale.
///
/// # Errors
/// When the database fails.
pub(in crate::app) async fn give_up_all(
    operation: &mut Operation<'_>,
    project: &Project,
    (environment, feature): (&EnvironmentId, &FeatureId),
    staleness: &Staleness,
) -> Result<()> {
    let connection = operation.write.connection().await?;
    let mut waiting = approvals::scheduled_after(connection, environment, feature, Instant(i64::MIN)).await?;
    if let Some(id) = approvals::pending(connection, environment, feature).await? {
        waiting.extend(approvals::find(connection, &project.id, id.as_str()).await?);
    }
    // A change of the feature itself is one of all environments.
    waiting.retain(|approval| approval.record_change.is_none());
    for approval in waiting {
        mark_stale(operation, project, approval, staleness.clone()).await?;
    }
    Ok(())
}

async fn mark_stale(
    operation: &mut Operation<'_>,
    project: &Project,
    before: Approval,
    staleness: Staleness,
) -> Result<Approval> {
    let after = Approval {
        state: ApprovalState::Stale,
        staleness: Some(staleness),
        settled_at: Some(operation.app.now()),
        revision: before.revision + 1,
        ..before.clone()
    };
    approvals::update(operation.write.connection().await?, &after).await?;
    let action = if before.scheduled_for.is_some() { "change.stale" } else { "approval.stale" };
    record_approval_audit(operation, action, project, BeforeAfter::updated(&before, &after)).await?;
    announce(operation, project, &after, None).await?;
    Ok(after)
}
