//! Where a feature is in its release pipeline: a phase is known by its environment, which a pipeline passes once.

use crate::app::changes::change::{ApprovalMode, submit};
use crate::app::changes::plan::Plan;
use crate::app::{Operation, Result};
use crate::domain::feature::Feature;
use crate::domain::ids::EnvironmentId;
use crate::domain::pipeline::{Phase, Pipeline};
use crate::domain::project::Project;

/// The phase that a feature of the pipeline is in; none when the pipeline has no phases.
pub fn current<'a>(pipeline: &'a Pipeline, feature: &Feature) -> Option<&'a Phase> {
    place(pipeline, feature).and_then(|place| pipeline.phases.get(place))
}

/// Where in the pipeline that phase is.
pub(in crate::app) fn place(pipeline: &Pipeline, feature: &Feature) -> Option<usize> {
    let known =
        pipeline.phases.iter().position(|phase| Some(&phase.environment_id) == feature.phase_environment_id.as_ref());
    known.or_else(|| (!pipeline.phases.is_empty()).then_some(0))
}

/// The phase in which a feature begins that is assigned to the pipeline.
pub(in crate::app) fn first(pipeline: &Pipeline) -> Option<EnvironmentId> {
    pipeline.phases.first().map(|phase| phase.environment_id.clone())
}

/// Whether going from one pipeline to the other takes a requirement of approval away.
pub(in crate::app) fn weakens_approval(before: Option<&Pipeline>, after: Option<&Pipeline>) -> bool {
    let requiring = |pipeline: &Pipeline| -> Vec<EnvironmentId> {
        let phases = pipeline.phases.iter().filter(|phase| phase.approval_required);
        phases.map(|phase| phase.environment_id.clone()).collect()
    };
    let kept = after.map(requiring).unwrap_or_default();
    before.is_some_and(|before| requiring(before).iter().any(|environment| !kept.contains(environment)))
}

/// The feature in that phase.
pub(in crate::app) fn moved(feature: &Feature, phase_environment_id: Option<EnvironmentId>) -> Feature {
    Feature { phase_environment_id, revision: feature.revision + 1, ..feature.clone() }
}

/// Keeps features in a phase while the phases of their pipeline change: one whose phase is gone goes back to the nearest
/// earlier phase that is still there, else to the first. Nothing is skipped by that.
pub(in crate::app) async fn settle(
    operation: &mut Operation<'_>,
    project: &Project,
    before: &Pipeline,
    after: &Pipeline,
) -> Result<()> {
    let features = crate::store::resources::features::list(operation.write.connection().await?, &project.id).await?;
    for feature in features.into_iter().filter(|feature| feature.pipeline_id.as_ref() == Some(&before.id)) {
        let passed = place(before, &feature).map_or(0, |place| place + 1);
        let passed = before.phases.iter().take(passed).rev();
        let stays = |phase: &&Phase| after.phases.iter().any(|kept| kept.environment_id == phase.environment_id);
        let phase = passed.into_iter().find(stays).map(|phase| phase.environment_id.clone()).or_else(|| first(after));
        if phase == feature.phase_environment_id {
            continue;
        }
        let (after, project) = (moved(&feature, phase), project.clone());
        let plan = Plan::record(project, feature, after, "feature.update");
        submit(operation, &plan, ApprovalMode::Unsupported).await?;
    }
    Ok(())
}
