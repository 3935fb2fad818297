//! Starts and stops experiments. Both are published like a change of the feature: clients learn at once whether they report who takes
//! part.

use flagservice_core::Key;

use crate::app::changes::audit::BeforeAfter;
use crate::app::changes::targeting;
use crate::app::experiments::{
    ExperimentRef, Place, design, find, find_to_write, guard_requests, participant_keys, record_experiment_audit,
};
use crate::app::features::lookup;
use crate::app::{AppError, Comment, EnvironmentRef, Operation, Result};
use crate::domain::changes::flag_change::FlagChange;
use crate::domain::experiments::{Decision, Experiment, ExperimentState, IntendedSplit, Run, Stop, intended_split};
use crate::domain::feature::Feature;
use crate::domain::ids::ChangeId;
use crate::random;
use crate::store::changes::outbox::NewEntry;
use crate::store::experiments::records;

/// What somebody decides when an experiment is stopped.
pub struct NewDecision {
    /// The variant to keep; none if the experiment shows nothing.
    pub variant: Option<Key>,
    /// Why.
    pub note: Option<Comment>,
}

/// Starts a draft. From now on clients report who takes part.
///
/// # Errors
/// [`AppError::ExperimentState`] for one that is no draft, for a feature that is archived or has a running experiment, and for rules that
/// give everybody the same variant, split users in different ways, or give nobody the control.
pub async fn start(operation: &mut Operation<'_>, at: ExperimentRef<'_>) -> Result<Experiment> {
    let place = find_to_write(operation, at.environment).await?;
    let connection = operation.write.connection().await?;
    let before = find(connection, &place.environment, at.experiment).await?;
    if before.state != ExperimentState::Draft {
        let detail = format!("'{}' was started before. Create another experiment to measure again.", before.key);
        return Err(AppError::ExperimentState(detail));
    }
    let feature = lookup::find(connection, &place.project, before.feature_key.as_str()).await?;
    check_alone(operation, &place, &before).await?;
    let mut run = run(operation, &place, &feature, &before.design.control).await?;
    let connection = operation.write.connection().await?;
    let segments = design::segments(connection, &place.environment, &before).await?;
    run.segments = segments.map_err(|detail| {
        AppError::ExperimentState(format!("'{}' cannot be started with its segments: {detail}.", before.key))
    })?;
    let participant_key = participant_keys::create(operation.app, &before.id)?;
    let after =
        Experiment { state: ExperimentState::Running, run: Some(run), revision: before.revision + 1, ..before.clone() };
    records::update(operation.write.connection().await?, &after, Some(&participant_key)).await?;
    publish(operation, &after).await?;
    record_experiment_audit(operation, "experiment.start", &place, BeforeAfter::updated(&before, &after)).await?;
    Ok(after)
}

/// Stops a running experiment with a decision. Clients report no more, its results stay, and what its guards requested is given up.
///
/// # Errors
/// [`AppError::ExperimentState`] for one that does not run; [`AppError::UnknownReference`] for an unknown variant.
pub async fn stop(operation: &mut Operation<'_>, at: ExperimentRef<'_>, decision: NewDecision) -> Result<Experiment> {
    let place = find_to_write(operation, at.environment).await?;
    let connection = operation.write.connection().await?;
    let before = find(connection, &place.environment, at.experiment).await?;
    let run = before.run.as_ref().filter(|_| before.state == ExperimentState::Running);
    let Some(run) = run else {
        return Err(AppError::ExperimentState(format!("'{}' is not running, so it cannot be stopped.", before.key)));
    };
    if let Some(variant) = decision.variant.as_ref().filter(|variant| !run.variants.contains(variant)) {
        let (pointer, key) = ("/decisionVariantKey".to_owned(), variant.to_string());
        return Err(AppError::UnknownReference { pointer, what: "variant", key });
    }
    let note = decision.note.map(String::from).unwrap_or_default();
    let feature = lookup::find(connection, &place.project, before.feature_key.as_str()).await?;
    let targeting = targeting::current(connection, &place.environment.id, &feature).await?;
    let stop = Stop {
        at: operation.app.now(),
        decision: Decision { variant: decision.variant, note },
        targeting_version: Some(targeting.version),
        audience_key: before.audience_key.clone(),
    };
    let after = Experiment {
        state: ExperimentState::Stopped,
        stop: Some(stop),
        revision: before.revision + 1,
        ..before.clone()
    };
    records::update(operation.write.connection().await?, &after, None).await?;
    publish(operation, &after).await?;
    record_experiment_audit(operation, "experiment.stop", &place, BeforeAfter::updated(&before, &after)).await?;
    guard_requests::end_all(operation, &place.project, &after).await?;
    Ok(after)
}

/// Refuses a second experiment with the same feature: participants would be in both.
async fn check_alone(operation: &mut Operation<'_>, place: &Place, experiment: &Experiment) -> Result<()> {
    let running = records::running(operation.write.connection().await?, &place.environment.id).await?;
    if running.iter().any(|one| one.feature_id == experiment.feature_id) {
        let (feature, environment) = (&experiment.feature_key, &place.environment.key);
        let detail = format!("'{feature}' has a running experiment in '{environment}' already. Stop that one first.");
        return Err(AppError::ExperimentState(detail));
    }
    Ok(())
}

/// What is fixed when an experiment of this environment is started now.
///
/// # Errors
/// Those of [`start`].
pub(in crate::app) async fn run_of(
    operation: &mut Operation<'_>,
    environment: EnvironmentRef<'_>,
    experiment: &Experiment,
) -> Result<Run> {
    let place = find_to_write(operation, environment).await?;
    let connection = operation.write.connection().await?;
    let feature = lookup::find(connection, &place.project, experiment.feature_key.as_str()).await?;
    run(operation, &place, &feature, &experiment.design.control).await
}

/// What is fixed now, of an experiment with this control.
async fn run(operation: &mut Operation<'_>, place: &Place, feature: &Feature, control: &Key) -> Result<Run> {
    let (key, environment) = (&feature.key, &place.environment.key);
    if !feature.lifecycle.is_evaluated() {
        return Err(AppError::ExperimentState(format!("'{key}' is archived. Make it Draft or Active first.")));
    }
    let connection = operation.write.connection().await?;
    let stored = targeting::current(connection, &place.environment.id, feature).await?;
    let refused = |detail| Err(AppError::ExperimentState(detail));
    let split = match intended_split(&stored.targeting) {
        IntendedSplit::One(split) => split,
        IntendedSplit::Several => {
            return refused(format!(
                "Rules of '{key}' split users in different ways in '{environment}', so users with different variants are different \
                 users. Give all rules that split users the same split, then start."
            ));
        }
        IntendedSplit::None => {
            return refused(format!(
                "'{key}' gives all users the same variant in '{environment}'. Add a rule that splits them, then start."
            ));
        }
    };
    if !split.iter().any(|split| split.variant == *control) {
        return refused(format!(
            "The rules of '{key}' give no user the control '{control}' in '{environment}', so there is nothing to compare with. Give it \
             a share above 0% in the rule that splits users, or select another control, then start."
        ));
    }
    let app = operation.app;
    Ok(Run {
        number: u32::from_be_bytes(random::bytes(&*app.random)),
        started_at: app.now(),
        variants: feature.variants.clone(),
        split: Some(split),
        targeting_version: stored.version,
        segments: Vec::new(),
    })
}

/// Publishes that the experiment of a feature has begun, has ended, or has another audience.
///
/// # Errors
/// When the database fails.
pub(in crate::app) async fn publish(operation: &mut Operation<'_>, experiment: &Experiment) -> Result<()> {
    let at = operation.app.now();
    let change_id = ChangeId::new(&*operation.app.random, at);
    let change = FlagChange::Variants { feature_key: experiment.feature_key.to_string() };
    let entry = NewEntry {
        environment_id: &experiment.environment_id,
        change_id: &change_id,
        feature_id: Some(&experiment.feature_id),
        at,
        change: &change,
    };
    operation.write.publish(&entry).await?;
    Ok(())
}
