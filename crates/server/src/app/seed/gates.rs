//! The demo's release pipelines, what requires approval in it, and a change that waits for one.

use std::collections::BTreeMap;

use crate::app::features::{self, FeatureEdit};
use crate::app::resources::environments::{self, EnvironmentEdit};
use crate::app::resources::pipelines::{self, NewPhase};
use crate::app::resources::targeting::{self, TargetingEdit};
use crate::app::seed::demo::{DemoEnvironment, DemoFeature, DemoPhase, DemoPipeline, DemoRequest};
use crate::app::{Actor, Operation, Result};
use crate::domain::role::Role;

/// Makes the pipelines, and puts up the gates: what comes after this waits where it has to.
pub(super) async fn put_up(
    operation: &mut Operation<'_>,
    project: &str,
    (pipelines, environments, features): (Vec<DemoPipeline>, &[DemoEnvironment], &[DemoFeature]),
) -> Result<()> {
    for DemoPipeline { key, name, phases } in pipelines {
        let phase = |phase: DemoPhase| NewPhase {
            name: phase.name,
            environment: phase.environment_key,
            approval_required: phase.approval_required,
        };
        let phases = phases.into_iter().map(phase).collect();
        pipelines::create(operation, project, (key, name, phases)).await?;
    }
    for feature in features.iter().filter(|feature| feature.approval_required || feature.pipeline_key.is_some()) {
        let edit = FeatureEdit {
            approval_required: Some(feature.approval_required),
            pipeline: Some(feature.pipeline_key.clone()),
            ..FeatureEdit::default()
        };
        features::update(operation, (project, feature.key.as_str()), (edit, None)).await?;
    }
    for environment in environments.iter().filter(|environment| environment.approval_required) {
        let edit = EnvironmentEdit { approval_required: Some(true), ..EnvironmentEdit::default() };
        environments::update(operation, (project, environment.key.as_str()), (edit, None)).await?;
    }
    Ok(())
}

/// Asks for the changes in the names of those who want them.
pub(super) async fn ask<'a>(
    operation: &mut Operation<'a>,
    people: &'a BTreeMap<Role, Actor>,
    project: &str,
    requests: Vec<DemoRequest>,
) -> Result<()> {
    for DemoRequest { requester, feature_key, environment_key, comment, targeting } in requests {
        let Some(actor) = people.get(&requester) else { continue };
        operation.actor = actor;
        let edit = TargetingEdit { comment: Some(comment), ..targeting.into() };
        let address = (project, feature_key.as_str(), environment_key.as_str());
        targeting::update(operation, address, (edit, None)).await?;
    }
    Ok(())
}
