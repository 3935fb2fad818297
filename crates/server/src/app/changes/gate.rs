//! The gate before every write to targeting: decides whether the change is allowed now or needs an approval.

use crate::app::changes::plan::{Plan, TargetingChange};
use crate::app::{Actor, AppError, Result};
use crate::domain::approval::Reason;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::pipeline::Pipeline;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::approvals;
use crate::store::resources::pipelines;

/// The gate's decision on a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateDecision {
    /// The change can be applied.
    Allowed,
    /// Another person must approve it first, for these reasons.
    NeedsApproval(Vec<Reason>),
}

/// Checks the actor's permission, then whether another change is pending, then whether this one needs an approval.
///
/// # Errors
/// Those of [`authorize`], and [`AppError::PendingChange`] when another change of one of the targetings is pending.
pub async fn check(connection: &mut Connection, actor: &Actor, plan: &Plan) -> Result<GateDecision> {
    authorize(actor, plan)?;
    let feature = plan.before.as_ref().unwrap_or(&plan.after);
    let edits: Vec<_> = plan.targetings.iter().filter(|change| change.is_edit()).collect();
    if edits.is_empty() {
        return Ok(GateDecision::Allowed);
    }
    for TargetingChange { environment, .. } in &edits {
        if let Some(approval) = approvals::pending(connection, &environment.id, &feature.id).await? {
            let (feature, environment) = (feature.key.clone(), environment.key.clone());
            return Err(AppError::PendingChange { approval, feature, environment });
        }
    }
    let pipeline = match &feature.pipeline_id {
        None => None,
        Some(id) => pipelines::get(connection, id).await?,
    };
    let reasons: Vec<_> =
        edits.iter().flat_map(|change| reasons(&change.environment, feature, pipeline.as_ref())).collect();
    Ok(if reasons.is_empty() { GateDecision::Allowed } else { GateDecision::NeedsApproval(reasons) })
}

/// Checks the actor's permission alone.
///
/// # Errors
/// [`AppError::Forbidden`] for an actor who cannot write, or not in production.
pub fn authorize(actor: &Actor, plan: &Plan) -> Result<()> {
    actor.require(Role::Editor)?;
    let comes_or_goes = plan.comes_or_goes();
    if plan.targetings.iter().any(|change| change.environment.production && (comes_or_goes || change.is_edit())) {
        actor.require(Role::ProductionEditor)?;
    }
    Ok(())
}

/// What requires an approval for a change of the feature's targeting in the environment. `pipeline` is the feature's.
pub fn reasons(environment: &Environment, feature: &Feature, pipeline: Option<&Pipeline>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if environment.approval_required {
        reasons.push(Reason::Environment);
    }
    if feature.approval_required {
        reasons.push(Reason::Feature);
    }
    if let Some(pipeline) = pipeline {
        let phases = pipeline.phases.iter();
        let gating = phases.filter(|phase| phase.approval_required && phase.environment_id == environment.id);
        reasons.extend(gating.map(|phase| Reason::Phase {
            pipeline_key: pipeline.key.clone(),
            pipeline_name: pipeline.name.clone(),
            phase_name: phase.name.clone(),
        }));
    }
    reasons
}
