//! Experiments of an environment: prepared as a draft, then run, then stopped with a decision.

mod counted;
pub mod design;
pub mod guard_checks;
mod guard_requests;
pub mod guards;
pub mod lifecycle;
pub mod participant_keys;
pub mod participation;
pub mod results;

use flagservice_core::Key;
use serde_json::{Value, json};

use crate::app::changes::audit::{AuditRecord, BeforeAfter, record_audit};
use crate::app::changes::revision;
use crate::app::experiments::design::DesignEdit;
use crate::app::features::lookup;
use crate::app::resources::{environments, projects};
use crate::app::{Actor, App, AppError, Edit, EnvironmentRef, IfMatch, Name, Need, Operation, Page, Paged, Result};
use crate::domain::environment::Environment;
use crate::domain::experiments::{Experiment, ExperimentState};
use crate::domain::ids::ExperimentId;
use crate::domain::project::Project;
use crate::domain::role::Role;
use crate::store::Connection;
use crate::store::experiments::records;

/// An experiment, by the keys in its path.
#[derive(Clone, Copy)]
pub struct ExperimentRef<'a> {
    /// Its environment.
    pub environment: EnvironmentRef<'a>,
    /// Its key.
    pub experiment: &'a str,
}

/// What a new experiment is made of.
pub struct NewExperiment {
    /// Unique in the environment.
    pub key: Key,
    /// For people.
    pub name: Name,
    /// The key of the feature.
    pub feature: Key,
    /// What is measured.
    pub design: DesignEdit,
}

/// What is to change of an experiment; nothing where there is none.
pub struct ExperimentEdit {
    /// Another name.
    pub name: Option<Name>,
    /// What is measured. Only of a draft.
    pub design: DesignEdit,
}

/// The place of an experiment.
pub(in crate::app) struct Place {
    pub(in crate::app) project: Project,
    pub(in crate::app) environment: Environment,
}

/// The environment's experiments, by key.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown project or environment.
pub async fn list(
    app: &App,
    actor: &Actor,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
    page: &Page,
) -> Result<Paged<Experiment>> {
    let connection = &mut *app.store.read().await?;
    let project = projects::find(connection, actor, project).await?;
    let environment = environments::find(connection, &project, environment).await?;
    let experiments = records::page(connection, &environment.id, &page.after, page.fetch()).await?;
    Ok(page.paginate(experiments, |experiment| experiment.key.as_str()))
}

/// The experiment of that key.
///
/// # Errors
/// [`AppError::NotFound`] when there is none.
pub async fn read(app: &App, actor: &Actor, at: ExperimentRef<'_>) -> Result<Experiment> {
    let connection = &mut *app.store.read().await?;
    let EnvironmentRef { project, environment } = at.environment;
    let project = projects::find(connection, actor, project).await?;
    let environment = environments::find(connection, &project, environment).await?;
    find(connection, &environment, at.experiment).await
}

async fn find(connection: &mut Connection, environment: &Environment, key: &str) -> Result<Experiment> {
    let experiment = records::find(connection, &environment.id, key).await?;
    experiment.ok_or_else(|| AppError::not_found("experiment", key))
}

/// Creates a draft.
///
/// # Errors
/// [`AppError::Exists`] for a key that is taken, [`AppError::UnknownReference`] for an unknown feature, audience or variant,
/// [`AppError::Invalid`] for goals or a plan that cannot be measured.
pub async fn create(
    operation: &mut Operation<'_>,
    environment: EnvironmentRef<'_>,
    new: NewExperiment,
) -> Result<Experiment> {
    let place = find_to_write(operation, environment).await?;
    let connection = operation.write.connection().await?;
    if records::find(connection, &place.environment.id, new.key.as_str()).await?.is_some() {
        return Err(AppError::Exists { what: "experiment", key: new.key.to_string() });
    }
    let feature = lookup::find(connection, &place.project, new.feature.as_str()).await;
    let feature = feature.map_err(|error| error.of_reference("/featureKey"))?;
    let now = operation.app.now();
    let mut experiment = Experiment {
        id: ExperimentId::new(&*operation.app.random, now),
        environment_id: place.environment.id.clone(),
        feature_id: feature.id.clone(),
        feature_key: feature.key.clone(),
        audience_id: None,
        audience_key: None,
        key: new.key,
        name: new.name.into(),
        design: design::initial(&feature),
        state: ExperimentState::Draft,
        run: None,
        guard_trips: Vec::new(),
        stop: None,
        revision: revision::first(now),
    };
    design::apply(connection, &place.environment, &feature, new.design, &mut experiment).await?;
    records::insert(connection, &experiment, now).await?;
    record_experiment_audit(operation, "experiment.create", &place, BeforeAfter::created(&experiment)).await?;
    Ok(experiment)
}

/// Changes an experiment. What is measured can be changed only in a draft.
///
/// # Errors
/// Those of [`create`]; [`AppError::ExperimentState`] for another design of one that was started; [`AppError::Stale`] when it changed
/// since the caller saw it.
pub async fn update(
    operation: &mut Operation<'_>,
    at: ExperimentRef<'_>,
    Edit { fields, if_match }: Edit<ExperimentEdit>,
) -> Result<Experiment> {
    let place = find_to_write(operation, at.environment).await?;
    let connection = operation.write.connection().await?;
    let before = find(connection, &place.environment, at.experiment).await?;
    revision::check(if_match, before.revision)?;
    if !fields.design.is_empty() && before.state != ExperimentState::Draft {
        let detail = format!(
            "'{}' was started, and what it measures stays the same from then on. Create another experiment instead.",
            before.key
        );
        return Err(AppError::ExperimentState(detail));
    }
    let mut after = before.clone();
    after.name = fields.name.map_or(after.name, String::from);
    if !fields.design.is_empty() {
        let feature = lookup::find(connection, &place.project, before.feature_key.as_str()).await?;
        design::apply(connection, &place.environment, &feature, fields.design, &mut after).await?;
    }
    if state(&place, &after) == state(&place, &before) {
        return Ok(before);
    }
    after.revision += 1;
    records::update(connection, &after, None).await?;
    record_experiment_audit(operation, "experiment.update", &place, BeforeAfter::updated(&before, &after)).await?;
    Ok(after)
}

/// Deletes an experiment that does not run, with its results. Its participants are removed by the next sweep.
///
/// # Errors
/// [`AppError::ExperimentState`] while it runs, [`AppError::Stale`] when it changed since the caller saw it.
pub async fn delete(operation: &mut Operation<'_>, at: ExperimentRef<'_>, if_match: IfMatch) -> Result<()> {
    let place = find_to_write(operation, at.environment).await?;
    let connection = operation.write.connection().await?;
    let experiment = find(connection, &place.environment, at.experiment).await?;
    revision::check(if_match, experiment.revision)?;
    if experiment.state == ExperimentState::Running {
        return Err(AppError::ExperimentState(format!("'{}' is running. Stop it first.", experiment.key)));
    }
    // An earlier release left them when it stopped the experiment.
    guard_requests::end_all(operation, &place.project, &experiment).await?;
    records::delete(operation.write.connection().await?, &experiment.id).await?;
    record_experiment_audit(operation, "experiment.delete", &place, BeforeAfter::deleted(&experiment)).await
}

/// Finds the environment for a person who may change it.
async fn find_to_write(
    operation: &mut Operation<'_>,
    EnvironmentRef { project, environment }: EnvironmentRef<'_>,
) -> Result<Place> {
    operation.actor.require(Role::Editor)?;
    let project = projects::find_to_write(operation, project).await?;
    let environment = environments::find(operation.write.connection().await?, &project, environment).await?;
    authorize(operation.actor, &project, &environment)?;
    Ok(Place { project, environment })
}

/// Lets pass who may change the experiments of an environment, and with the conditions of an audience who takes part in them.
///
/// # Errors
/// [`AppError::Forbidden`] names the role that is missing, [`AppError::ForbiddenUse`] the scope of the token.
pub(in crate::app) fn authorize(actor: &Actor, project: &Project, environment: &Environment) -> Result<()> {
    actor.require(if environment.production { Role::ProductionEditor } else { Role::Editor })?;
    actor.require_in_scope(Need::ChangeEnvironment(project.key.as_str(), environment.key.as_str()))
}

/// Refuses to remove a feature or an environment of these experiments while one runs.
///
/// # Errors
/// [`AppError::InUse`] names the experiment.
pub(in crate::app) fn refuse_running(experiments: &[Experiment], of: &Key) -> Result<()> {
    match experiments.iter().find(|experiment| experiment.state == ExperimentState::Running) {
        None => Ok(()),
        Some(running) => {
            Err(AppError::InUse(format!("The experiment '{}' of '{of}' is running. Stop it first.", running.key)))
        }
    }
}

fn state(place: &Place, experiment: &Experiment) -> Value {
    let Experiment { key, name, feature_key, audience_key, design, state, run, guard_trips, stop, .. } = experiment;
    let decision = stop.as_ref().map(|stop| &stop.decision);
    json!({
        "key": key, "name": name, "environmentKey": place.environment.key, "featureKey": feature_key,
        "audienceKey": audience_key, "design": design, "state": state, "run": run, "guardTrips": guard_trips,
        "decision": decision,
    })
}

pub(in crate::app) async fn record_experiment_audit(
    operation: &mut Operation<'_>,
    action: &'static str,
    place: &Place,
    BeforeAfter { before, after }: BeforeAfter<'_, Experiment>,
) -> Result<()> {
    let Some(experiment) = after.or(before) else {
        return Ok(());
    };
    let (project, environment) = (&place.project.key, &place.environment.key);
    let resource = format!("projects/{project}/environments/{environment}/experiments/{}", experiment.key);
    let [before, after] = [before, after].map(|one| one.map(|experiment| state(place, experiment)));
    record_audit(operation, AuditRecord { action, resource, before, after }).await
}
