//! Approvals of changes, and changes that wait for their time: listed, discussed, announced. `request.rs` requests them,
//! `decisions.rs` decides on them, `schedule/` makes them at their time.

mod request;

use flagservice_core::Key;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::{aspects, staleness, transitions};
use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Need, Operation, Page, Paged, Remark, Result};
use crate::domain::approval::{
    Approval, ApprovalComment, ApprovalFilter, ApprovalState, Decider, NamedApproval, Person, RecordChange, Staleness,
};
use crate::domain::changes::flag_change::{ApprovalNotice, Aspect, FeatureChange, FlagChange, Transition};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::ChangeId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::outbox::NewEntry;
use crate::store::changes::{approval_comments, approvals};
use crate::store::delivery::integrations;
pub(super) use request::{request, schedule};

/// How many comments an approval may have.
pub const MAX_COMMENTS: u64 = 200;

/// Which approvals to list; all without a value.
#[derive(Default)]
pub struct ApprovalQuery<'a> {
    /// Only those in this state.
    pub state: Option<ApprovalState>,
    /// Only those of the feature of that key.
    pub feature: Option<&'a str>,
    /// Only those that concern the environment of that key: of its targetings, and of features themselves.
    pub environment: Option<&'a str>,
}

/// An approval with its comments and whether it is stale.
pub struct ApprovalDetails {
    /// The approval.
    pub approval: Approval,
    /// Its comments, oldest first.
    pub comments: Vec<ApprovalComment>,
    /// Why it could not be approved now, if it is pending; why it became stale, if it is stale.
    pub staleness: Option<Staleness>,
}

/// The project's approvals, newest first.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project, feature or environment.
pub async fn list(
    app: &App,
    actor: &Actor,
    project: &str,
    query: &ApprovalQuery<'_>,
    page: &Page,
) -> Result<Paged<Approval>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let feature = match query.feature {
        None => None,
        Some(key) => Some(lookup::find(connection, &project, key).await?.id),
    };
    let environment = match query.environment {
        None => None,
        Some(key) => Some(environments::find(connection, &project, key).await?.id),
    };
    let filter = ApprovalFilter { state: query.state, feature, environment };
    let approvals = approvals::page(connection, &project.id, &filter, &page.after, page.fetch()).await?;
    let mut paged = page.paginate(approvals, |approval| approval.id.as_str());
    paged.items.retain(|approval| actor.has_in_scope(need_to_read(&project, approval)));
    Ok(paged)
}

/// The pending approvals of all projects that the actor can decide on, newest first.
///
/// # Errors
/// When the database fails.
pub async fn list_to_decide(app: &App, actor: &Actor, page: &Page) -> Result<Paged<NamedApproval>> {
    let mut approvals = Vec::new();
    if actor.role >= Role::Editor && !actor.has_token_of_another() {
        let decider = Decider {
            organisation: &actor.organisation_id,
            person: &actor.user_id,
            production: actor.role >= Role::ProductionEditor,
        };
        approvals = approvals::to_decide(&mut *app.store.read().await?, &decider, &page.after, page.fetch()).await?;
    }
    let mut paged = page.paginate(approvals, |named| named.approval.id.as_str());
    paged.items.retain(|named| actor.has_in_scope(need_to_change(&named.project_key, &named.approval)));
    Ok(paged)
}

/// The project's approval of that id.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, id: &str) -> Result<ApprovalDetails> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let approval = find(connection, &project, id).await?;
    actor.require_in_scope(need_to_read(&project, &approval))?;
    show(connection, approval).await
}

fn need_to_read<'a>(project: &'a Project, approval: &'a Approval) -> Need<'a> {
    Need::ReadEnvironment(project.key.as_str(), approval.environment_key.as_str())
}

/// What deciding on an approval, and anything else that changes it, needs.
pub(super) fn need_to_change<'a>(project: &'a Key, approval: &'a Approval) -> Need<'a> {
    match &approval.record_change {
        Some(_) => Need::ChangeProject(project.as_str()),
        None => Need::ChangeEnvironment(project.as_str(), approval.environment_key.as_str()),
    }
}

pub(super) async fn find(connection: &mut Connection, project: &Project, id: &str) -> Result<Approval> {
    let approval = approvals::find(connection, &project.id, id).await?;
    approval.ok_or_else(|| AppError::not_found("approval", id))
}

pub(in crate::app) async fn show(connection: &mut Connection, approval: Approval) -> Result<ApprovalDetails> {
    let comments = approval_comments::list(connection, &approval.id).await?;
    let staleness = match approval.state {
        ApprovalState::Pending | ApprovalState::Scheduled => {
            let (feature, environment) = target(connection, &approval).await?;
            staleness::detect(connection, &approval, &feature, &environment).await?
        }
        ApprovalState::Stale => approval.staleness.clone(),
        ApprovalState::Approved | ApprovalState::Rejected | ApprovalState::Cancelled => None,
    };
    Ok(ApprovalDetails { approval, comments, staleness })
}

/// The feature and the environment of an approval. They exist as long as the approval does.
pub(super) async fn target(connection: &mut Connection, approval: &Approval) -> Result<(Feature, Environment)> {
    let feature = crate::store::resources::features::get(connection, &approval.feature_id).await?;
    let environment = crate::store::resources::environments::get(connection, &approval.environment_id).await?;
    let missing = || AppError::not_found("approval", &approval.id);
    Ok((feature.ok_or_else(missing)?, environment.ok_or_else(missing)?))
}

/// Adds a comment to an approval, decided or not.
///
/// # Errors
/// [`AppError::Invalid`] at the limit of comments.
pub async fn comment(
    operation: &mut Operation<'_>,
    project: &str,
    id: &str,
    remark: Remark,
) -> Result<ApprovalDetails> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let mut approval = find(operation.write.connection().await?, &project, id).await?;
    operation.actor.require_in_scope(need_to_change(&project.key, &approval))?;
    add_comment(operation, &project, &approval, remark).await?;
    approval.revision += 1;
    let connection = operation.write.connection().await?;
    approvals::update(connection, &approval).await?;
    show(connection, approval).await
}

pub(super) async fn add_comment(
    operation: &mut Operation<'_>,
    project: &Project,
    approval: &Approval,
    remark: Remark,
) -> Result<()> {
    let connection = operation.write.connection().await?;
    let count = approval_comments::count(connection, &approval.id).await?;
    if count >= MAX_COMMENTS {
        let detail = format!("An approval has at most {MAX_COMMENTS} comments. Approve or reject it.");
        return Err(AppError::invalid("/comment", detail));
    }
    let comment = ApprovalComment { author: person(operation.actor), at: operation.app.now(), text: remark.into() };
    approval_comments::append(connection, &approval.id, count, &comment).await?;
    let after = json!({
        "comment": comment.text, "featureKey": approval.feature_key, "environmentKey": approval.environment_key,
    });
    let (resource, after) = (resource(project, approval), Some(after));
    record_audit(operation, AuditRecord { action: "approval.comment", resource, before: None, after }).await
}

pub(super) fn person(actor: &Actor) -> Person {
    Person { id: actor.user_id.clone(), name: actor.name.clone() }
}

fn resource(project: &Project, approval: &Approval) -> String {
    format!("projects/{}/approvals/{}", project.key, approval.id)
}

pub(super) async fn record_approval_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    project: &Project,
    BeforeAfter { before, after }: BeforeAfter<'_, Approval>,
) -> Result<()> {
    let Some(approval) = after.or(before) else {
        return Ok(());
    };
    let state = |approval: &Approval| -> Value {
        json!({
            "state": approval.state, "featureKey": approval.feature_key, "environmentKey": approval.environment_key,
            "kind": approval.source.kind(), "copiedFrom": approval.source.environment(),
            "requestedBy": { "id": approval.requester.id, "name": approval.requester.name },
            "comment": approval.comment, "reasons": approval.reasons, "scheduledFor": approval.scheduled_for.map(|at| at.0),
            "targetVersion": approval.target_version,
            "before": approval.before, "after": approval.after, "feature": approval.record_change, "stale": approval.staleness,
        })
    };
    let resource = resource(project, approval);
    record_audit(operation, AuditRecord { action, resource, before: before.map(state), after: after.map(state) }).await
}

/// Records that a change does not wait any longer, because what it was to change is removed, and its own row with that.
pub(in crate::app) async fn cancel_removed(
    operation: &mut Operation<'_>,
    project: &Project,
    before: Approval,
) -> Result<()> {
    let after = Approval { state: ApprovalState::Cancelled, revision: before.revision + 1, ..before.clone() };
    record_approval_audit(operation, "approval.cancel", project, BeforeAfter::updated(&before, &after)).await?;
    announce(operation, project, &after, None).await
}

/// Puts into the outbox where the approval stands now. `remark` is what the person who decided said.
pub(super) async fn announce(
    operation: &mut Operation<'_>,
    project: &Project,
    approval: &Approval,
    remark: Option<String>,
) -> Result<()> {
    let connection = operation.write.connection().await?;
    // An entry raises the version of its environment, which clients see: without somebody to tell, there is none.
    if !integrations::any_takes_approvals(connection, &project.organisation_id).await? {
        return Ok(());
    }
    let (feature, environment) = target(connection, approval).await?;
    // A change of the feature itself concerns all environments, and a filter may name any of them.
    let environments = match &approval.record_change {
        Some(_) => crate::store::resources::environments::list(connection, &project.id).await?,
        None => vec![environment.clone()],
    };
    let at = operation.app.now();
    let change = FlagChange::Approval {
        approval: ApprovalNotice {
            approval_id: approval.id.clone(),
            state: approval.state,
            change: FeatureChange {
                aspects: aspects_of(approval),
                feature_key: approval.feature_key.to_string(),
                feature_name: feature.name,
                project_key: project.key.to_string(),
                environment_key: approval.environment_key.to_string(),
                environment_name: environment.name,
                user_name: operation.actor.name.clone(),
                break_glass: None,
                transitions: transitions_of(approval),
            },
            requester_name: approval.requester.name.clone(),
            comment: approval.comment.clone(),
            reason: remark.or_else(|| approval.staleness.as_ref().map(Staleness::to_string)),
        },
    };
    let change_id = ChangeId::new(&*operation.app.random, at);
    for environment in &environments {
        let entry =
            NewEntry { environment_id: &environment.id, change_id: &change_id, feature_id: None, at, change: &change };
        operation.write.publish(&entry).await?;
    }
    Ok(())
}

/// The aspects of what was requested.
fn aspects_of(approval: &Approval) -> Vec<Aspect> {
    match &approval.record_change {
        None => aspects::of_request(&approval.before, &approval.after),
        Some(RecordChange { after: None, .. }) => vec![Aspect::Deleted],
        Some(RecordChange { before, after: Some(after) }) => {
            let lifecycle = (before.lifecycle != after.lifecycle).then_some(Aspect::Lifecycle);
            let same = Feature { lifecycle: before.lifecycle, revision: before.revision, ..after.clone() } == *before;
            lifecycle.into_iter().chain((!same).then_some(Aspect::Settings)).collect()
        }
    }
}

fn transitions_of(approval: &Approval) -> Vec<Transition> {
    match &approval.record_change {
        None => transitions::of_targeting(&approval.before, &approval.after),
        Some(RecordChange { before, after }) => {
            let after = after.as_ref();
            after.and_then(|after| transitions::of_lifecycle(before.lifecycle, after.lifecycle)).into_iter().collect()
        }
    }
}
