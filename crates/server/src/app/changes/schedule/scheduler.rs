//! Makes scheduled changes at their time, each once: its state changes in the transaction of the change. Every node tries, and the
//! project's lock decides which one does it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::{Instant, Patterns};

use crate::app::changes::approvals::{find, record_approval_audit, target};
use crate::app::changes::audit::BeforeAfter;
use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::changes::schedule::given_up::give_up;
use crate::app::changes::violations::check_room;
use crate::app::changes::{decisions, staleness};
use crate::app::resources::projects;
use crate::app::{Actor, App, AppError, Operation, Result};
use crate::domain::approval::{Approval, ApprovalState, Staleness};
use crate::domain::project::Project;
use crate::domain::unreadable_row::UnreadableRow;
use crate::store::changes::approvals::{self, Due};
use crate::store::resources::users;

/// How often a node looks for changes that another one has scheduled.
const INTERVAL: Duration = Duration::from_secs(1);

/// How many changes are read at once.
const MOST: i64 = 100;

/// Makes changes at their times, until the task is aborted.
pub async fn run(app: Arc<App>) {
    loop {
        let latest = app.clock.after(INTERVAL);
        let next = match make_due(&app).await {
            Ok(next) => next,
            Err(error) => {
                tracing::warn!(%error, "cannot make scheduled changes now");
                None
            }
        };
        app.clock.sleep_until_within(next.map_or(latest, |next| next.min(latest)), INTERVAL).await;
    }
}

/// Makes the changes that are due, and returns when the next one is; nothing if one of them has to be tried again.
async fn make_due(app: &App) -> Result<Option<Instant>> {
    let mut unreadable = BTreeSet::new();
    let mut last = None;
    loop {
        let due = approvals::due(&mut *app.store.read().await?, app.now(), last.as_ref(), MOST).await?;
        for change in &due {
            unreadable.extend(settle_or_set_aside(app, change).await?);
        }
        let Some(change) = due.into_iter().last() else { break };
        last = Some(change);
    }
    let is_complete = unreadable.is_empty();
    app.set_aside.note_scheduled(unreadable);
    if is_complete { Ok(approvals::next_due(&mut *app.store.read().await?).await?) } else { Ok(None) }
}

/// Settles a change, or returns its row if it cannot be read: it must not hold up the others.
async fn settle_or_set_aside(app: &App, change: &Due) -> Result<Option<UnreadableRow>> {
    match settle(app, change).await {
        Ok(()) => Ok(None),
        Err(AppError::Unreadable(cause) | AppError::Internal(cause)) => Ok(Some(row_of(change, format!("{cause:#}")))),
        Err(error @ AppError::NotFound { .. }) => Ok(Some(row_of(change, error.to_string()))),
        Err(error) => Err(error),
    }
}

fn row_of(change: &Due, problem: String) -> UnreadableRow {
    UnreadableRow { table: "approvals", key: change.id.to_string(), problem }
}

/// Makes a change, or marks it as stale.
async fn settle(app: &App, due: &Due) -> Result<()> {
    let actor = requester(app, due).await?;
    let refused = match make(app, &actor, due).await {
        Err(error) if is_about_the_change(&error) => error.to_string(),
        done => return done,
    };
    let mut operation = Operation::begin(app, &actor).await?;
    let project = projects::find_to_write(&mut operation, &due.project_key).await?;
    let approval = find(operation.connection().await?, &project, due.id.as_str()).await?;
    if !is_waiting(&approval) {
        return Ok(());
    }
    drop(give_up(&mut operation, &project, approval, Staleness::NotPermitted { detail: refused }).await?);
    operation.commit().await
}

/// The requester, with the rights that they have now. Without them, the operator gives the change up, which is stale then.
async fn requester(app: &App, due: &Due) -> Result<Actor> {
    let user = users::get(&mut *app.store.read().await?, &due.requester).await?;
    let user = user.filter(|user| user.organisation_id == due.organisation);
    let actor = user.map_or_else(|| Actor::operator(due.organisation.clone()), |user| Actor::new(user, None));
    Ok(Actor { project_key: Some(due.project_key.clone()), ..actor })
}

/// Makes the change in the name of its requester, if it is still what was asked for.
async fn make(app: &App, actor: &Actor, due: &Due) -> Result<()> {
    let _patterns = compile_ahead(app, actor, due).await?;
    let mut operation = Operation::begin(app, actor).await?;
    let project = projects::find_to_write(&mut operation, &due.project_key).await?;
    let connection = operation.connection().await?;
    let approval = find(connection, &project, due.id.as_str()).await?;
    // Another node may have been faster, or somebody has just cancelled it.
    if !is_waiting(&approval) {
        return Ok(());
    }
    let (feature, environment) = target(connection, &approval).await?;
    let staleness = match (approval.state, approval.scheduled_for) {
        (ApprovalState::Pending, Some(scheduled_for)) => Some(Staleness::NotInTime { scheduled_for }),
        _ => staleness::detect(connection, &approval, &feature, &environment).await?,
    };
    if let Some(staleness) = staleness {
        drop(give_up(&mut operation, &project, approval, staleness).await?);
        return operation.commit().await;
    }
    let change = TargetingChange::requested(environment, approval.before.clone(), approval.after.clone());
    let plan = Plan::targeting(project.clone(), feature, change);
    check_room(connection, app, &plan).await?;
    submit(&mut operation, &plan, ApprovalMode::Scheduled(&approval)).await?;
    note_made(&mut operation, &project, approval).await?;
    operation.commit().await
}

async fn compile_ahead(app: &App, actor: &Actor, due: &Due) -> Result<Patterns> {
    decisions::compile_ahead(app, actor, &due.project_key, due.id.as_str()).await
}

fn is_waiting(approval: &Approval) -> bool {
    matches!(approval.state, ApprovalState::Pending | ApprovalState::Scheduled)
}

/// Whether the change is refused, rather than prevented by the state of the database.
fn is_about_the_change(error: &AppError) -> bool {
    matches!(
        error,
        AppError::Forbidden(_)
            | AppError::ForbiddenUse(_)
            | AppError::Invalid(_)
            | AppError::PendingChange { .. }
            | AppError::ApprovalRequired(_)
            | AppError::Archived(_)
    )
}

/// Notes that a change was made.
async fn note_made(operation: &mut Operation<'_>, project: &Project, before: Approval) -> Result<()> {
    let (state, settled_at) = (ApprovalState::Approved, Some(operation.app.now()));
    let after = Approval { state, settled_at, revision: before.revision + 1, ..before.clone() };
    approvals::update(operation.connection().await?, &after).await?;
    record_approval_audit(operation, "change.apply", project, BeforeAfter::updated(&before, &after)).await
}
