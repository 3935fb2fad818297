//! Decides on a pending approval: approved and applied, rejected, cancelled, or stale.
//!
//! An approval covers exactly the requested change: it stores the version of the targeting and a digest that includes the
//! conditions of its audiences. If either has changed, the approval is stale and changes nothing.

use flagservice_rules::Patterns;

use crate::app::changes::approvals::{
    ApprovalDetails, add_comment, announce, find, need_to_change, person, record_approval_audit, show, target,
};
use crate::app::changes::audit::BeforeAfter;
use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::changes::schedule::given_up::give_up_later;
use crate::app::changes::violations::check_room;
use crate::app::changes::{gate, patterns, staleness, usable_audiences};
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Operation, Remark, Result};
use crate::domain::approval::{Approval, ApprovalState, Decision, Staleness};
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::approvals;

/// The result of approving.
pub enum Approving {
    /// The change was applied, or waits for its time.
    Applied(Box<ApprovalDetails>),
    /// It was stale and is marked so; the targeting has not changed.
    Stale(Staleness),
}

/// Compiles the patterns of a change that is to be approved before the transaction, for as long as the result lives.
///
/// # Errors
/// [`AppError::NotFound`] when there is no such approval.
pub async fn compile_ahead(app: &App, actor: &Actor, project: &str, id: &str) -> Result<Patterns> {
    let texts = {
        let connection = &mut *app.store.read_control().await?;
        let project = projects::find(connection, actor, project).await?;
        let approval = find(connection, &project, id).await?;
        match &approval.record_change {
            Some(change) => patterns::of_feature(connection, &project, &change.before).await?,
            None => {
                let rules = [approval.after.rules.as_slice()];
                let usable = usable_audiences::of(connection, &project.id, &approval.environment_id, &rules).await?;
                patterns::texts(approval.after.conditions(&usable))
            }
        }
    };
    patterns::ahead_of_stored(app, texts).await
}

/// Approves a change and applies it, now or at its time, if it is still the requested one.
///
/// # Errors
/// [`AppError::Forbidden`] for an actor who could not make the change, and for a token that another person created,
/// [`AppError::OwnRequest`] for the requester, [`AppError::Decided`] when someone else decided first,
/// [`AppError::Invalid`] when the environment has no room for its patterns;
/// then nothing may be committed. Every other result is committed.
pub async fn approve(
    operation: &mut Operation<'_>,
    project: &str,
    id: &str,
    remark: Option<Remark>,
) -> Result<Approving> {
    let project = projects::find_to_write(operation, project).await?;
    let connection = operation.write.connection().await?;
    let (approval, plan) = to_decide(connection, operation.actor, &project, id).await?;
    let (feature, environment) = target(connection, &approval).await?;
    if let Some(staleness) = staleness::detect(connection, &approval, &feature, &environment).await? {
        decide(operation, &project, approval, Verdict::Stale(staleness.clone()), remark).await?;
        return Ok(Approving::Stale(staleness));
    }
    check_room(connection, operation.app, &plan).await?;
    if approval.scheduled_for.is_some() {
        let details = decide(operation, &project, approval, Verdict::Scheduled, remark).await?;
        return Ok(Approving::Applied(Box::new(details)));
    }
    // Decided first: a deletion deletes the feature's approvals too.
    let details = decide(operation, &project, approval.clone(), Verdict::Approved, remark).await?;
    submit(operation, &plan, ApprovalMode::Granted(&approval)).await?;
    Ok(Approving::Applied(Box::new(details)))
}

/// Rejects a change; it is not applied.
///
/// # Errors
/// As for [`approve`].
pub async fn reject(
    operation: &mut Operation<'_>,
    project: &str,
    id: &str,
    remark: Option<Remark>,
) -> Result<ApprovalDetails> {
    let project = projects::find_to_write(operation, project).await?;
    let (approval, _) = to_decide(operation.write.connection().await?, operation.actor, &project, id).await?;
    decide(operation, &project, approval, Verdict::Rejected, remark).await
}

/// Cancels a change that waits for a decision or for its time; it is not applied.
///
/// # Errors
/// [`AppError::Forbidden`] for all but the requester and administrators, [`AppError::Decided`] when someone else decided first.
pub async fn cancel(
    operation: &mut Operation<'_>,
    project: &str,
    id: &str,
    remark: Option<Remark>,
) -> Result<ApprovalDetails> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let approval = find(operation.write.connection().await?, &project, id).await?;
    operation.actor.require_in_scope(need_to_change(&project.key, &approval))?;
    if approval.requester.id != operation.actor.user_id && operation.actor.role < Role::Administrator {
        return Err(AppError::Forbidden(
            "Only the requester or an administrator can cancel this change. You can reject it.",
        ));
    }
    if approval.state != ApprovalState::Scheduled {
        undecided(&approval)?;
    }
    decide(operation, &project, approval, Verdict::Cancelled, remark).await
}

/// An approval that the actor may decide on, with its change.
async fn to_decide(
    connection: &mut Connection,
    actor: &Actor,
    project: &Project,
    id: &str,
) -> Result<(Approval, Plan)> {
    let approval = find(connection, project, id).await?;
    actor.require_in_scope(need_to_change(&project.key, &approval))?;
    let (feature, environment) = target(connection, &approval).await?;
    let plan = match approval.record_change.clone() {
        Some(change) => Plan::of_record(connection, project.clone(), change).await?,
        None => {
            let change = TargetingChange::requested(environment, approval.before.clone(), approval.after.clone());
            Plan::targeting(project.clone(), feature, change)
        }
    };
    gate::authorize(connection, actor, &plan).await?;
    if approval.requester.id == actor.user_id {
        return Err(AppError::OwnRequest);
    }
    if actor.has_token_of_another() {
        return Err(AppError::Forbidden(
            "Another person created the token that you use, so it decides on no change. Use a token that you created yourself.",
        ));
    }
    undecided(&approval)?;
    Ok((approval, plan))
}

fn undecided(approval: &Approval) -> Result<()> {
    match (approval.state, &approval.staleness) {
        (ApprovalState::Pending, _) => Ok(()),
        (ApprovalState::Stale, Some(staleness)) => Err(AppError::ApprovalStale(staleness.clone())),
        (state, _) => Err(AppError::Decided(state)),
    }
}

/// What is decided.
enum Verdict {
    Approved,
    /// Approved, and to be made at its time.
    Scheduled,
    Rejected,
    Cancelled,
    Stale(Staleness),
}

async fn decide(
    operation: &mut Operation<'_>,
    project: &Project,
    before: Approval,
    verdict: Verdict,
    remark: Option<Remark>,
) -> Result<ApprovalDetails> {
    let (state, action, staleness) = match verdict {
        Verdict::Approved => (ApprovalState::Approved, "approval.approve", None),
        Verdict::Scheduled => (ApprovalState::Scheduled, "approval.approve", None),
        Verdict::Rejected => (ApprovalState::Rejected, "approval.reject", None),
        Verdict::Cancelled => (ApprovalState::Cancelled, "approval.cancel", None),
        Verdict::Stale(staleness) => (ApprovalState::Stale, "approval.stale", Some(staleness)),
    };
    let said = remark.clone().map(String::from);
    if let Some(remark) = remark {
        add_comment(operation, project, &before, remark).await?;
    }
    let decision =
        Some(Decision { by: person(operation.actor), token: operation.actor.token.clone(), at: operation.app.now() });
    let after = Approval { state, decision, staleness, revision: before.revision + 1, ..before.clone() };
    approvals::update(operation.write.connection().await?, &after).await?;
    record_approval_audit(operation, action, project, BeforeAfter::updated(&before, &after)).await?;
    // Of a stale approval, what matters is why it is stale.
    let said = said.filter(|_| after.staleness.is_none());
    announce(operation, project, &after, said).await?;
    drop(give_up_later(operation, project, &after).await?);
    show(operation.write.connection().await?, after).await
}
