//! Requests for approvals that guards make: whether one is to be made again, and their end with the experiment.

use crate::app::changes::approvals::{ApprovalDetails, show};
use crate::app::changes::schedule::given_up::give_up;
use crate::app::{Operation, Result};
use crate::domain::approval::{ApprovalState, Staleness};
use crate::domain::experiments::{Experiment, GuardTrip};
use crate::domain::project::Project;
use crate::store::Connection;
use crate::store::changes::approvals;

/// The request of a trip that became stale by itself, so that it is to be made again. None if the change was made, was refused by
/// somebody, or waits for a decision.
pub(super) async fn lapsed(
    connection: &mut Connection,
    project: &Project,
    trip: &GuardTrip,
) -> Result<Option<ApprovalDetails>> {
    let Some(id) = &trip.approval_id else { return Ok(None) };
    let Some(approval) = approvals::find(connection, &project.id, id.as_str()).await? else { return Ok(None) };
    let details = show(connection, approval).await?;
    let has_lapsed = match details.approval.state {
        // Of an archived feature, or with a variant that is gone, another request would be as stale.
        ApprovalState::Pending => {
            matches!(details.staleness, Some(Staleness::TargetChanged { .. } | Staleness::AudienceChanged))
        }
        // Somebody tried to approve it. Otherwise break-glass has ended it.
        ApprovalState::Stale => details.approval.decision.is_some(),
        ApprovalState::Scheduled | ApprovalState::Approved | ApprovalState::Rejected | ApprovalState::Cancelled => {
            false
        }
    };
    Ok(Some(details).filter(|_| has_lapsed))
}

/// Ends a request that is made again, if it still waits: it would hold up the new one.
pub(super) async fn end_lapsed(
    operation: &mut Operation<'_>,
    project: &Project,
    ApprovalDetails { approval, staleness, .. }: ApprovalDetails,
) -> Result<()> {
    if approval.state == ApprovalState::Pending
        && let Some(staleness) = staleness
    {
        drop(give_up(operation, project, approval, staleness).await?);
    }
    Ok(())
}

/// Ends the requests of a stopped experiment that still wait: its decision may be another one.
pub(super) async fn end_all(operation: &mut Operation<'_>, project: &Project, experiment: &Experiment) -> Result<()> {
    let requested: Vec<_> = experiment.guard_trips.iter().filter_map(|trip| trip.approval_id.as_ref()).collect();
    if requested.is_empty() {
        return Ok(());
    }
    let waiting = approvals::waiting_of(operation.write.connection().await?, &experiment.feature_id).await?;
    for approval in waiting.into_iter().filter(|approval| requested.contains(&&approval.id)) {
        let detail = format!("the experiment '{}', whose guard requested it, was stopped", experiment.key);
        drop(give_up(operation, project, approval, Staleness::Invalid { detail }).await?);
    }
    Ok(())
}
