//! The demo's experiments, as if they had run for some days and had been stopped a moment ago.

use std::collections::BTreeMap;

use crate::app::experiments::design::DesignEdit;
use crate::app::experiments::{self, NewExperiment, lifecycle, participant_keys};
use crate::app::seed::demo::DemoExperiment;
use crate::app::{EnvironmentRef, Operation, Result};
use crate::domain::experiments::counts::{GoalCount, ParticipantCount};
use crate::domain::experiments::{Decision, Experiment, ExperimentState, Stop};
use crate::domain::retention::periods::DAY_MS;
use crate::store::experiments::counts;
use crate::store::experiments::records;

/// Adds the experiments with what was counted.
pub(super) async fn add(operation: &mut Operation<'_>, project: &str, described: Vec<DemoExperiment>) -> Result<()> {
    for one in described {
        let environment = EnvironmentRef { project, environment: one.environment_key.as_str() };
        let design = DesignEdit {
            goals: Some(one.goals.clone()),
            control: Some(one.control_variant_key.clone()),
            planned_days: Some(one.planned_days),
            planned_participants: Some(one.planned_participants),
            ..DesignEdit::default()
        };
        let new =
            NewExperiment { key: one.key.clone(), name: one.name.clone(), feature: one.feature_key.clone(), design };
        let draft = experiments::create(operation, environment, new).await?;
        stop(operation, draft, environment, &one).await?;
    }
    Ok(())
}

/// Makes a stopped experiment of a draft, whose last day is today.
async fn stop(
    operation: &mut Operation<'_>,
    draft: Experiment,
    environment: EnvironmentRef<'_>,
    described: &DemoExperiment,
) -> Result<()> {
    let now = operation.app.now();
    let length = i64::try_from(described.days.len()).unwrap_or(i64::MAX);
    let mut run = lifecycle::run_of(operation, environment, &draft).await?;
    run.started_at.0 = now.0.saturating_sub(length.saturating_mul(DAY_MS));
    let first_day = now.0.div_euclid(DAY_MS) + 1 - length;
    let (mut participants, mut goals) = (BTreeMap::new(), BTreeMap::new());
    for (day, of_day) in (first_day..).zip(&described.days) {
        for (place, variant) in run.variants.iter().enumerate() {
            let Some([joined, reached @ ..]) = of_day.get(variant).map(Vec::as_slice) else { continue };
            participants.insert((day, place), ParticipantCount { participants: *joined, crossovers: 0 });
            for (goal, times) in reached.iter().enumerate() {
                goals.insert(((day, place), goal), GoalCount { participants: *times, times: *times });
            }
        }
    }
    let decision = Decision { variant: Some(described.decision_variant_key.clone()), note: described.note.clone() };
    let (number, targeting_version) = (run.number, Some(run.targeting_version));
    let stopped = Experiment {
        state: ExperimentState::Stopped,
        run: Some(run),
        stop: Some(Stop { at: now, decision, targeting_version, audience_key: draft.audience_key.clone() }),
        revision: draft.revision + 1,
        ..draft
    };
    let key = participant_keys::create(operation.app, &stopped.id)?;
    let connection = operation.write.connection().await?;
    records::update(connection, &stopped, Some(&key)).await?;
    counts::add_participants(connection, number, &participants).await?;
    Ok(counts::add_goals(connection, number, &goals).await?)
}
