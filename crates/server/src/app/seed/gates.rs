//! The demo's release pipelines, what requires approval in it, and a change that waits for one.

use std::collections::BTreeMap;

use crate::app::features::{self, FeatureEdit};
use crate::app::resources::environments::{self, EnvironmentEdit};
use crate::app::resources::pipelines::{self, NewPhase, NewPipeline};
use crate::app::resources::targeting::{self, TargetingEdit};
use crate::app::seed::demo::{DemoEnvironment, DemoFeature, DemoPhase, DemoPipeline, DemoRequest};
use crate::app::{Actor, Edit, Operation, Result, TargetingRef};
use crate::domain::role::Role;

/// Creates the pipelines and the gates: later changes wait for approval where they have to.
pub(super) async fn create(
    operation: &mut Operation<'_>,
    project: &str,
    pipelines: Vec<DemoPipeline>,
    environments: &[DemoEnvironment],
    features: &[DemoFeature],
) -> Result<()> {
    for DemoPipeline { key, name, phases } in pipelines {
        let phase = |phase: DemoPhase| NewPhase {
            name: phase.name,
            environment: phase.environment_key,
            approval_required: phase.approval_required,
        };
        let phases = phases.into_iter().map(phase).collect();
        pipelines::create(operation, project, NewPipeline { key, name, phases }).await?;
    }
    for feature in features.iter().filter(|feature| feature.approval_required || feature.pipeline_key.is_some()) {
        let fields = FeatureEdit {
            approval_required: Some(feature.approval_required),
            pipeline: Some(feature.pipeline_key.clone()),
            ..FeatureEdit::default()
        };
        features::update(operation, project, feature.key.as_str(), Edit { fields, if_match: None }).await?;
    }
    for environment in environments.iter().filter(|environment| environment.approval_required) {
        let fields = EnvironmentEdit { approval_required: Some(true), ..EnvironmentEdit::default() };
        environments::update(operation, project, environment.key.as_str(), Edit { fields, if_match: None }).await?;
    }
    Ok(())
}

/// Requests the changes, each on behalf of its requester.
pub(super) async fn request_changes<'a>(
    operation: &mut Operation<'a>,
    people: &'a BTreeMap<Role, Actor>,
    project: &str,
    requests: Vec<DemoRequest>,
) -> Result<()> {
    for DemoRequest { requester, feature_key, environment_key, comment, targeting } in requests {
        let Some(actor) = people.get(&requester) else { continue };
        operation.actor = actor;
        let fields = TargetingEdit { comment: Some(comment), ..targeting.into() };
        let address = TargetingRef { project, feature: feature_key.as_str(), environment: environment_key.as_str() };
        targeting::update(operation, address, Edit { fields, if_match: None }).await?;
    }
    Ok(())
}
