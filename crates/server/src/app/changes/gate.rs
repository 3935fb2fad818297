//! The gate before every change: decides by its effect whether it is allowed now or needs an approval.

use crate::app::changes::plan::Plan;
use crate::app::changes::served;
use crate::app::{Actor, AppError, Need, Result};
use crate::domain::approval::Reason;
use crate::domain::environment::Environment;
use crate::domain::feature::Feature;
use crate::domain::pipeline::Pipeline;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::changes::approvals;
use crate::store::resources::pipelines;

/// The gate's decision on a change.
#[derive(Clone, Debug)]
pub enum GateDecision {
    /// The change can be applied.
    Allowed,
    /// Another person must approve it first.
    NeedsApproval {
        /// The first environment that requires it.
        environment: Box<Environment>,
        /// What requires it, in all environments.
        reasons: Vec<Reason>,
    },
}

/// Checks the actor's permission, then whether another change is pending, then whether this one needs an approval, in all
/// environments that the change affects. A new feature needs the approvals of the environments alone: nobody could protect it
/// before.
///
/// # Errors
/// Those of [`authorize`], and [`AppError::PendingChange`] if another change is pending in one of the environments.
pub async fn check(connection: &mut Connection, actor: &Actor, plan: &Plan) -> Result<GateDecision> {
    let affected = authorize(connection, actor, plan).await?;
    let feature = plan.gated_feature();
    let pipeline = match &feature.pipeline_id {
        None => None,
        Some(id) => pipelines::get(connection, id).await?,
    };
    let (mut first, mut all) = (None, Vec::new());
    for environment in affected {
        let mut reasons = reasons(&environment, feature, pipeline.as_ref());
        if plan.before.is_none() {
            reasons.retain(|reason| *reason == Reason::Environment);
        }
        if (!reasons.is_empty() || plan.edits_targeting())
            && let Some(approval) = approvals::pending(connection, &environment.id, &feature.id).await?
        {
            let (feature, environment) = (feature.key.clone(), environment.key);
            return Err(AppError::PendingChange { approval, feature, environment });
        }
        if first.is_none() && !reasons.is_empty() {
            first = Some(Box::new(environment));
        }
        for reason in reasons {
            if !all.contains(&reason) {
                all.push(reason);
            }
        }
    }
    Ok(first.map_or(GateDecision::Allowed, |environment| GateDecision::NeedsApproval { environment, reasons: all }))
}

/// Checks the actor's permission alone; returns the environments that the change affects.
///
/// # Errors
/// [`AppError::Forbidden`] for an actor who cannot write, or not in production if the change affects it;
/// [`AppError::ForbiddenUse`] for a token whose scope lacks the feature's project or an affected environment.
pub async fn authorize(connection: &mut Connection, actor: &Actor, plan: &Plan) -> Result<Vec<Environment>> {
    actor.require(Role::Editor)?;
    let affected = served::affected(connection, plan).await?;
    if affected.iter().any(|environment| environment.production) {
        actor.require(Role::ProductionEditor)?;
    }
    let project = plan.project.key.as_str();
    if plan.before.is_none() || plan.record_change().is_some() {
        actor.require_in_scope(Need::ChangeProject(project))?;
    }
    for environment in &affected {
        actor.require_in_scope(Need::ChangeEnvironment(project, environment.key.as_str()))?;
    }
    Ok(affected)
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
