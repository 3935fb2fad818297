//! Scheduled changes that are given up: those after them were made for what they would have left, so they are given up too.

use flagservice_rules::Instant;

use crate::app::changes::approvals::{announce, find, record_approval_audit};
use crate::app::changes::audit::BeforeAfter;
use crate::app::resources::projects;
use crate::app::{AppError, Operation, Result};
use crate::domain::approval::{Approval, ApprovalState, Staleness};
use crate::domain::ids::{EnvironmentId, FeatureId};
use crate::domain::project::Project;
use crate::store::changes::approvals::{self, Due};

/// How many changes are read at once.
const MOST: i64 = 100;

/// A change that was given up, and the project that it belongs to.
pub struct GivenUp {
    /// The change.
    pub approval: Approval,
    /// The key of the project.
    pub project_key: String,
}

/// Gives up the scheduled changes of the actor's organisation whose time has passed: a backup was restored that still has them, and what
/// was decided since is unknown. Returns them, with those that were scheduled after them.
///
/// # Errors
/// When the database fails.
pub(in crate::app) async fn give_up_missed(operation: &mut Operation<'_>) -> Result<Vec<GivenUp>> {
    let (mut given_up, mut last) = (Vec::new(), None);
    loop {
        let now = operation.app.now();
        let due = approvals::due(operation.connection().await?, now, last.as_ref(), MOST).await?;
        for change in due.iter().filter(|change| change.organisation == operation.actor.organisation_id) {
            match give_up_one_missed(operation, change).await {
                // It cannot be made either.
                Err(AppError::Unreadable(_) | AppError::NotFound { .. }) => {}
                done => given_up.extend(done?),
            }
        }
        let Some(change) = due.into_iter().last() else { return Ok(given_up) };
        last = Some(change);
    }
}

async fn give_up_one_missed(operation: &mut Operation<'_>, due: &Due) -> Result<Vec<GivenUp>> {
    let project = projects::find_to_write(operation, &due.project_key).await?;
    let approval = find(operation.connection().await?, &project, due.id.as_str()).await?;
    // One before it may have taken it along, and what nobody approved is not made.
    if approval.state != ApprovalState::Scheduled {
        return Ok(Vec::new());
    }
    let staleness = Staleness::NotPermitted { detail: "that had passed when a backup was restored".to_owned() };
    let ended = give_up(operation, &project, approval, staleness).await?;
    let given_up = |approval| GivenUp { approval, project_key: due.project_key.clone() };
    Ok(ended.into_iter().map(given_up).collect())
}

/// Marks a change that waits for an approval or for its time as stale, and those that are scheduled after it. Returns them.
///
/// # Errors
/// When the database fails.
pub(in crate::app) async fn give_up(
    operation: &mut Operation<'_>,
    project: &Project,
    approval: Approval,
    staleness: Staleness,
) -> Result<Vec<Approval>> {
    let ended = mark_stale(operation, project, approval, staleness).await?;
    let later = give_up_later(operation, project, &ended).await?;
    Ok([vec![ended], later].concat())
}

/// Marks the changes that are scheduled after one as stale, if that one has ended and was not made. Otherwise a later one could be made
/// that finds what it was made for by chance: `on` is also there when `off` was cancelled. Returns them.
///
/// # Errors
/// When the database fails.
pub(in crate::app::changes) async fn give_up_later(
    operation: &mut Operation<'_>,
    project: &Project,
    ended: &Approval,
) -> Result<Vec<Approval>> {
    let (ApprovalState::Rejected | ApprovalState::Cancelled | ApprovalState::Stale, Some(earlier)) =
        (ended.state, ended.scheduled_for)
    else {
        return Ok(Vec::new());
    };
    let connection = operation.write.connection().await?;
    let later = approvals::scheduled_after(connection, &ended.environment_id, &ended.feature_id, earlier).await?;
    let mut given_up = Vec::new();
    for approval in later {
        let staleness = Staleness::BaseChanged { earlier: Some(earlier) };
        given_up.push(mark_stale(operation, project, approval, staleness).await?);
    }
    Ok(given_up)
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
