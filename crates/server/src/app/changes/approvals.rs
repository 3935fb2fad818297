//! Changes of targeting that wait for approval: held, listed, discussed. `decisions.rs` decides on them.
//!
//! What is approved is exactly what was asked for: an approval is bound to the version of the targeting and to what its
//! audiences stood for. When one of these is another by now, it is stale, and changes nothing.

use serde_json::{Value, json};

use crate::app::changes::audit::{Trace, record};
use crate::app::changes::change::apply;
use crate::app::changes::gate::{self, Passage};
use crate::app::changes::plan::{Plan, Request, TargetingChange};
use crate::app::changes::staleness;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Page, Paged, Remark, Result, Write, features};
use crate::domain::approval::{Approval, ApprovalComment, ApprovalFilter, ApprovalState, Person, Reason, Staleness};
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::ids::ApprovalId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::{approval_comments, approvals, targetings};

/// How many comments an approval may have.
pub const MAX_COMMENTS: u64 = 200;

/// Which approvals are asked for; all where there is nothing.
#[derive(Default)]
pub struct Wanted<'a> {
    /// Only those that stand there.
    pub state: Option<ApprovalState>,
    /// Only those of the feature of that key.
    pub feature: Option<&'a str>,
    /// Only those of the environment of that key.
    pub environment: Option<&'a str>,
}

/// An approval with all that is to be seen of it.
pub struct Shown {
    /// The approval.
    pub approval: Approval,
    /// What was said about it, oldest first.
    pub comments: Vec<ApprovalComment>,
    /// Of one that waits: why it could not be approved now. Of one that became stale: why.
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
    wanted: &Wanted<'_>,
    page: &Page,
) -> Result<Paged<Approval>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let feature = match wanted.feature {
        None => None,
        Some(key) => Some(features::find(connection, &project, key).await?.id),
    };
    let environment = match wanted.environment {
        None => None,
        Some(key) => Some(environments::find(connection, &project, key).await?.id),
    };
    let filter = ApprovalFilter { state: wanted.state, feature, environment };
    let found = approvals::page(connection, &project.id, &filter, &page.after, page.fetch()).await?;
    Ok(page.of(found, |approval| approval.id.as_str()))
}

/// The project's approval of that id.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, project: &str, id: &str) -> Result<Shown> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let approval = find(connection, &project, id).await?;
    show(connection, approval).await
}

pub(super) async fn find(connection: &mut Connection, project: &Project, id: &str) -> Result<Approval> {
    let approval = approvals::find(connection, &project.id, id).await?;
    approval.ok_or_else(|| AppError::not_found("approval", id))
}

pub(super) async fn show(connection: &mut Connection, approval: Approval) -> Result<Shown> {
    let comments = approval_comments::list(connection, &approval.id).await?;
    let staleness = match approval.state {
        ApprovalState::Pending => {
            let (feature, environment) = target(connection, &approval).await?;
            staleness::of(connection, &approval, (&feature, &environment)).await?
        }
        ApprovalState::Stale => approval.staleness.clone(),
        ApprovalState::Approved | ApprovalState::Rejected | ApprovalState::Cancelled => None,
    };
    Ok(Shown { approval, comments, staleness })
}

/// The feature and the environment, which are there for as long as the approval is.
pub(super) async fn target(connection: &mut Connection, approval: &Approval) -> Result<(Feature, Environment)> {
    let feature = crate::store::resources::features::get(connection, &approval.feature_id).await?;
    let environment = crate::store::resources::environments::get(connection, &approval.environment_id).await?;
    let missing = || AppError::not_found("approval", &approval.id);
    Ok((feature.ok_or_else(missing)?, environment.ok_or_else(missing)?))
}

/// What became of a change that may be held for approval.
pub enum Proposed {
    /// It was made: the targeting has this version.
    Made(u64),
    /// It waits for approval; nothing has changed.
    Held(Box<Approval>),
}

/// Makes a change of one feature's targeting in one environment, or holds it for approval, in the caller's transaction,
/// in which the caller has locked the project and found the plan's targeting as it is.
///
/// # Errors
/// Those of the gate, and [`AppError::Archived`] for a change that would wait for an archived feature; then nothing may be
/// committed.
pub async fn make_or_hold(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    plan: &Plan,
    request: Request,
) -> Result<Proposed> {
    match gate::check(write.connection().await?, actor, plan).await? {
        Passage::Open => {
            let versions = apply(app, actor, write, plan, request.notes()).await?;
            Ok(Proposed::Made(versions.first().copied().unwrap_or_default()))
        }
        Passage::Held(reasons) => {
            Ok(Proposed::Held(Box::new(hold(app, actor, write, plan, (request, reasons)).await?)))
        }
    }
}

/// Holds the plan for approval.
///
/// # Errors
/// [`AppError::Archived`] for an archived feature: nobody could approve the change.
async fn hold(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    plan: &Plan,
    (request, reasons): (Request, Vec<Reason>),
) -> Result<Approval> {
    let feature = plan.before.as_ref().unwrap_or(&plan.after);
    if !feature.lifecycle.is_evaluated() {
        return Err(AppError::Archived(feature.key.clone()));
    }
    let [TargetingChange { environment, before: Some(before), after, .. }] = plan.targetings.as_slice() else {
        return Err(anyhow::anyhow!("a plan that is held changes one targeting").into());
    };
    let connection = write.connection().await?;
    let stored = targetings::find(connection, &environment.id, &feature.id).await?;
    // As it is read back: the digest must not depend on what a float becomes on its way through the database.
    let (before, after) = (staleness::as_stored(before)?, staleness::as_stored(after)?);
    let digest = staleness::digest(connection, environment, (&before, &after)).await?;
    let at = app.now();
    let approval = Approval {
        id: ApprovalId::new(&*app.random, at),
        project_id: plan.project.id.clone(),
        feature_id: feature.id.clone(),
        feature_key: feature.key.clone(),
        environment_id: environment.id.clone(),
        environment_key: environment.key.clone(),
        state: ApprovalState::Pending,
        source: request.source,
        requester: person(actor),
        requested_at: at,
        comment: request.comment,
        reasons,
        before,
        after,
        target_version: stored.map_or(0, |stored| stored.version),
        digest,
        decision: None,
        staleness: None,
        revision: 1,
    };
    approvals::insert(connection, &approval).await?;
    trace(app, actor, write, ("approval.request", &plan.project), (None, &approval)).await?;
    Ok(approval)
}

/// Says something about a change, decided on or not.
///
/// # Errors
/// [`AppError::Invalid`] when enough has been said.
pub async fn comment(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    (project, id): (&str, &str),
    remark: Remark,
) -> Result<Shown> {
    actor.require(Role::Editor)?;
    let project = projects::find_to_write(write, actor, project).await?;
    let mut approval = find(write.connection().await?, &project, id).await?;
    say(app, actor, write, (&project, &approval), remark).await?;
    approval.revision += 1;
    let connection = write.connection().await?;
    approvals::update(connection, &approval).await?;
    show(connection, approval).await
}

pub(super) async fn say(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    (project, approval): (&Project, &Approval),
    remark: Remark,
) -> Result<()> {
    let connection = write.connection().await?;
    let said = approval_comments::count(connection, &approval.id).await?;
    if said >= MAX_COMMENTS {
        let detail = format!("An approval has at most {MAX_COMMENTS} comments. Decide on it.");
        return Err(AppError::invalid("/comment", detail));
    }
    let comment = ApprovalComment { author: person(actor), at: app.now(), text: remark.into() };
    approval_comments::append(connection, &approval.id, said, &comment).await?;
    let (resource, after) = (resource(project, approval), Some(json!({ "comment": comment.text })));
    record(app, actor, write, Trace { action: "approval.comment", resource, before: None, after }).await
}

pub(super) fn person(actor: &Actor) -> Person {
    Person { id: actor.user_id.clone(), name: actor.name.clone() }
}

fn resource(project: &Project, approval: &Approval) -> String {
    format!("projects/{}/approvals/{}", project.key, approval.id)
}

pub(super) async fn trace(
    app: &App,
    actor: &Actor,
    write: &mut Write<'_>,
    (action, project): (&'static str, &Project),
    (before, after): (Option<&Approval>, &Approval),
) -> Result<()> {
    let state = |approval: &Approval| -> Value {
        json!({
            "state": approval.state, "featureKey": approval.feature_key, "environmentKey": approval.environment_key,
            "kind": approval.source.kind(), "copiedFrom": approval.source.environment(),
            "requestedBy": { "id": approval.requester.id, "name": approval.requester.name },
            "comment": approval.comment, "reasons": approval.reasons, "targetVersion": approval.target_version,
            "before": approval.before, "after": approval.after, "stale": approval.staleness,
        })
    };
    let resource = resource(project, after);
    record(app, actor, write, Trace { action, resource, before: before.map(state), after: Some(state(after)) }).await
}
