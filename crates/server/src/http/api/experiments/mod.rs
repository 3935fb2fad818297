//! `…/environments/{environmentKey}/experiments`.

pub mod lifecycle;
pub mod results;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use flagservice_core::Key;
use flagservice_rules::{Split, Value as ConditionValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::experiments::design::DesignEdit;
use crate::app::experiments::{self, ExperimentRef};
use crate::app::{App, Edit, EnvironmentRef, Name, Operation};
use crate::domain::experiments::{Experiment, ExperimentGoal, ExperimentState, GuardTrip};
use crate::http::extract::caller::{Reader, Writer};
use crate::http::extract::idempotency::{IdempotencyKey, Once, Reply, once};
use crate::http::extract::json::{Json, nullable};
use crate::http::extract::pagination::{List, PageQuery};
use crate::http::extract::parameters::{Path, Query};
use crate::http::extract::time::Time;
use crate::http::extract::version::{IfMatch, Versioned};
use crate::http::problem::Problem;

/// The keys in the path of an experiment.
type Address = Path<(String, String, String)>;

fn reference((project, environment, experiment): &(String, String, String)) -> ExperimentRef<'_> {
    ExperimentRef { environment: EnvironmentRef { project, environment }, experiment }
}

/// An experiment with a feature in an environment.
#[derive(Serialize, ToSchema)]
#[schema(as = Experiment)]
#[serde(rename_all = "camelCase")]
pub struct ExperimentView {
    key: Key,
    name: String,
    feature_key: Key,
    state: ExperimentState,
    /// What is measured. Exactly one goal is the primary one.
    goals: Vec<ExperimentGoal>,
    /// The saved audience whose users take part. Null if everybody does. After the stop it may have been deleted.
    audience_key: Option<Key>,
    /// The variant that the others are compared with.
    control_variant_key: Key,
    /// The planned length in days.
    planned_days: u32,
    /// The number of participants in all variants at which the intervals are narrowest.
    planned_participants: u64,
    /// The attribute for whose values results are given too. Null without segments.
    segment_attribute: Option<String>,
    /// The values of the attribute, as the audience listed them when it was started. Null for a draft, and without segments.
    segments: Option<Vec<ConditionValue>>,
    /// When it was started. Null for a draft.
    started_at: Option<Time>,
    /// The split that participants are given. Null for a draft, and if an earlier release started it with several splits.
    split: Option<Vec<Split>>,
    /// The guards that tripped, oldest first.
    guard_trips: Vec<GuardTripView>,
    /// When it was stopped. Null until then.
    stopped_at: Option<Time>,
    /// The variant to keep, as decided when it was stopped. Null if nothing was decided.
    decision_variant_key: Option<Key>,
    /// What was said of the decision. Null until it is stopped.
    note: Option<String>,
}

/// A guard that tripped: a variant made it worse, so the variant's share is given to the control.
#[derive(Serialize, ToSchema)]
#[schema(as = GuardTrip)]
#[serde(rename_all = "camelCase")]
pub struct GuardTripView {
    goal_key: String,
    variant_key: Key,
    at: Time,
    /// The approval that the change needs. Null if it was made at once.
    approval_id: Option<String>,
}

impl From<GuardTrip> for GuardTripView {
    fn from(GuardTrip { at, goal, variant, approval_id }: GuardTrip) -> Self {
        Self { goal_key: goal, variant_key: variant, at: Time(at), approval_id: approval_id.map(|id| id.to_string()) }
    }
}

impl From<Experiment> for ExperimentView {
    fn from(experiment: Experiment) -> Self {
        let Experiment { key, name, feature_key, audience_key, design, state, run, guard_trips, stop, .. } = experiment;
        let segments = run.as_ref().map(|run| run.segments.clone()).filter(|values| !values.is_empty());
        let (started_at, split) = run.map_or((None, None), |run| (Some(Time(run.started_at)), run.split));
        let stopped_at = stop.as_ref().map(|stop| Time(stop.at));
        let decision = stop.map(|stop| stop.decision);
        Self {
            key,
            name,
            feature_key,
            state,
            goals: design.goals,
            audience_key,
            control_variant_key: design.control,
            planned_days: design.planned_days,
            planned_participants: design.planned_participants,
            segment_attribute: design.segment_attribute,
            segments,
            started_at,
            split,
            guard_trips: guard_trips.into_iter().map(GuardTripView::from).collect(),
            stopped_at,
            decision_variant_key: decision.as_ref().and_then(|decision| decision.variant.clone()),
            note: decision.map(|decision| decision.note),
        }
    }
}

fn versioned(experiment: Experiment) -> Versioned<ExperimentView> {
    Versioned { version: experiment.revision, view: experiment.into() }
}

/// The fields of a new experiment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewExperiment {
    key: Key,
    name: Name,
    feature_key: Key,
    /// What is measured: 1 to 10 goals, exactly one of which has the role `primary`.
    goals: Vec<ExperimentGoal>,
    /// The saved audience whose users take part. Everybody by default.
    audience_key: Option<Key>,
    /// The variant that the others are compared with. The feature's first one by default.
    control_variant_key: Option<Key>,
    /// The planned length in days: 1 to 365, 14 by default.
    planned_days: Option<u32>,
    /// The number of participants in all variants at which the intervals are narrowest: 10,000 by default. Choose what you expect.
    planned_participants: Option<u64>,
    /// The attribute for whose values results are given too. The audience must list 2 to 20 values of it in a condition with the operator
    /// `in`. None by default.
    segment_attribute: Option<String>,
}

/// Changes to an experiment. Missing fields stay the same. Only the name can be changed once it was started.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExperimentEdit {
    name: Option<Name>,
    goals: Option<Vec<ExperimentGoal>>,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<Key>)]
    audience_key: Option<Option<Key>>,
    control_variant_key: Option<Key>,
    planned_days: Option<u32>,
    planned_participants: Option<u64>,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<String>)]
    segment_attribute: Option<Option<String>>,
}

/// Lists the environment's experiments by key.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments",
    operation_id = "listExperiments",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), PageQuery),
    responses((status = 200, body = List<ExperimentView>)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path((project, environment)): Path<(String, String)>,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<List<ExperimentView>>, Problem> {
    let environment = EnvironmentRef { project: &project, environment: &environment };
    let page = experiments::list(&app, &caller, environment, &query.page()?).await?;
    Ok(List::from_page(page, ExperimentView::from))
}

/// Creates an experiment as a draft. Nothing is measured before it is started.
#[utoipa::path(
    post,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments",
    operation_id = "createExperiment",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), IdempotencyKey),
    request_body = NewExperiment,
    responses((status = 201, body = ExperimentView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path((project, environment)): Path<(String, String)>,
    Once { body, request }: Once<NewExperiment>,
) -> Result<Response, Problem> {
    let design = DesignEdit {
        goals: Some(body.goals),
        audience: Some(body.audience_key),
        control: body.control_variant_key,
        planned_days: body.planned_days,
        planned_participants: body.planned_participants,
        segment_attribute: Some(body.segment_attribute),
    };
    let new = experiments::NewExperiment { key: body.key, name: body.name, feature: body.feature_key, design };
    once(&app, &caller, request, async |mut operation| {
        let environment = EnvironmentRef { project: &project, environment: &environment };
        let experiment = experiments::create(&mut operation, environment, new).await?;
        Reply::created(operation, versioned(experiment))
    })
    .await
}

/// Reads an experiment.
#[utoipa::path(
    get,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}",
    operation_id = "readExperiment",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("experimentKey" = Key, Path)),
    responses((status = 200, body = ExperimentView)),
    security(("personalAccessToken" = ["readOnly"])),
)]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Reader,
    Path(address): Address,
) -> Result<Versioned<ExperimentView>, Problem> {
    Ok(versioned(experiments::read(&app, &caller, reference(&address)).await?))
}

/// Changes an experiment. What it measures can be changed only in a draft.
#[utoipa::path(
    patch,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}",
    operation_id = "updateExperiment",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("experimentKey" = Key, Path), IfMatch),
    request_body = ExperimentEdit,
    responses((status = 200, body = ExperimentView)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(address): Address,
    IfMatch(if_match): IfMatch,
    Json(edit): Json<ExperimentEdit>,
) -> Result<Versioned<ExperimentView>, Problem> {
    let design = DesignEdit {
        goals: edit.goals,
        audience: edit.audience_key,
        control: edit.control_variant_key,
        planned_days: edit.planned_days,
        planned_participants: edit.planned_participants,
        segment_attribute: edit.segment_attribute,
    };
    let fields = experiments::ExperimentEdit { name: edit.name, design };
    let mut operation = Operation::begin(&app, &caller).await?;
    let experiment = experiments::update(&mut operation, reference(&address), Edit { fields, if_match }).await?;
    operation.commit().await?;
    Ok(versioned(experiment))
}

/// Deletes an experiment that does not run, with its results.
#[utoipa::path(
    delete,
    path = "/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}",
    operation_id = "deleteExperiment",
    tag = "Experiments",
    params(("projectKey" = Key, Path), ("environmentKey" = Key, Path), ("experimentKey" = Key, Path), IfMatch),
    responses((status = 204)),
    security(("personalAccessToken" = ["editor"])),
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Writer,
    Path(address): Address,
    IfMatch(if_match): IfMatch,
) -> Result<StatusCode, Problem> {
    let mut operation = Operation::begin(&app, &caller).await?;
    experiments::delete(&mut operation, reference(&address), if_match).await?;
    operation.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
