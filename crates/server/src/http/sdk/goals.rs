//! `POST /goals`: goals that users reached, users who take part in experiments, and what was evaluated. Each is counted once.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use flagservice_rules::Violation;
use serde::{Deserialize, Serialize};

use crate::domain::experiments::participation::{ClientReport, Participation};
use crate::domain::goal::{Goal, InvalidField};
use crate::error::AppError;
use crate::http::extract::json::ClientJson;
use crate::http::problem::{Problem, too_many_requests};
use crate::http::sdk::body_limits::GOALS_BODY;
use crate::http::sdk::evaluations::EvaluationsRequest;
use crate::http::sdk::guard::{ClientKey, ServerKey};
use crate::http::sdk::limits::Limits;
use crate::serving::Serving;
use crate::serving::evaluations;
use crate::serving::snapshots::SdkKeyRef;

/// The most goals in one request, and the most participations.
const MAX_ENTRIES: usize = 100;

/// A goals request. Unknown fields are ignored.
#[derive(Deserialize)]
pub struct GoalsRequest {
    #[serde(default)]
    goals: Vec<GoalRequest>,
    #[serde(default)]
    participations: Vec<ParticipationRequest>,
    /// The id of the evaluations that a service sends.
    id: Option<String>,
    #[serde(default)]
    evaluations: EvaluationsRequest,
}

/// A user who takes part in the experiment of a feature, as the entry of `experiments` names it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParticipationRequest {
    feature: String,
    variant: String,
    user_id: String,
}

/// One goal.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoalRequest {
    id: String,
    key: String,
    user_id: String,
    #[serde(default)]
    features: BTreeMap<String, String>,
}

/// The response to a request of which at least a part is kept.
#[derive(Serialize)]
struct GoalsResponse {
    /// How many goals are stored, new or not.
    accepted: usize,
    /// What was not kept of the request, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Violation>,
}

/// Records goals that a browser sends.
pub async fn from_browser(
    State(serving): State<Arc<Serving>>,
    State(limits): State<Arc<Limits>>,
    ClientKey(key): ClientKey,
    ClientJson(request): ClientJson<GoalsRequest, GOALS_BODY>,
) -> Result<Response, Problem> {
    let GoalsRequest { goals, participations, evaluations, .. } = request;
    let variants = evaluations.of_page()?;
    let (report, errors) = report_of(goals, participations)?;
    if report.is_empty() && variants.is_empty() && !errors.is_empty() {
        return Err(AppError::Invalid(errors).into());
    }
    let response = record(&serving, &limits, &key, report, errors).await?;
    if response.status() == StatusCode::ACCEPTED {
        evaluations::count_page(&serving, &key.environment_id, variants);
    }
    Ok(response)
}

/// Records goals that a service sends.
pub async fn from_service(
    State(serving): State<Arc<Serving>>,
    State(limits): State<Arc<Limits>>,
    ServerKey(key): ServerKey,
    ClientJson(request): ClientJson<GoalsRequest, GOALS_BODY>,
) -> Result<Response, Problem> {
    let GoalsRequest { goals, participations, id, evaluations } = request;
    let (mut report, errors) = report_of(goals, participations)?;
    report.summaries.extend(evaluations.of_service(id.as_deref(), serving.now())?);
    if report.is_empty() && !errors.is_empty() {
        return Err(AppError::Invalid(errors).into());
    }
    record(&serving, &limits, &key, report, errors).await
}

async fn record(
    serving: &Arc<Serving>,
    limits: &Limits,
    key: &SdkKeyRef,
    report: ClientReport,
    errors: Vec<Violation>,
) -> Result<Response, Problem> {
    let valid = report.goals.len();
    if let Err(wait) = limits.count_goals(&key.environment_id, report.len()) {
        return Ok(too_many_requests(wait, "Too many goals of this environment."));
    }
    let accepted = if report.is_empty() { 0 } else { serving.keep_report(key.environment_id.clone(), report).await? };
    serving.metrics.goals.inc_by(accepted as u64);
    serving.metrics.database.goals_dropped.inc_by((valid - accepted) as u64);
    Ok((StatusCode::ACCEPTED, Json(GoalsResponse { accepted, errors })).into_response())
}

/// The entries that can be kept, and why the others cannot. An invalid one, such as a user id that is too long, must not discard the
/// entries of other users.
fn report_of(
    goals: Vec<GoalRequest>,
    participations: Vec<ParticipationRequest>,
) -> Result<(ClientReport, Vec<Violation>), AppError> {
    for (name, entries) in [("goals", goals.len()), ("participations", participations.len())] {
        if entries > MAX_ENTRIES {
            let detail = format!("Send at most {MAX_ENTRIES} {name} in one request.");
            return Err(AppError::invalid(&format!("/{name}"), detail));
        }
    }
    let mut errors = Vec::new();
    let goals = valid("goals", goals.into_iter().map(Goal::from), Goal::check, &mut errors);
    let participations = participations.into_iter().map(Participation::from);
    let participations = valid("participations", participations, Participation::check, &mut errors);
    Ok((ClientReport { goals, participations, summaries: Vec::new() }, errors))
}

/// The entries that pass their check. Notes what is wrong with the others.
fn valid<T>(
    name: &str,
    entries: impl Iterator<Item = T>,
    check: impl Fn(&T) -> Result<(), InvalidField>,
    errors: &mut Vec<Violation>,
) -> Vec<T> {
    let mut kept = Vec::new();
    for (index, entry) in entries.enumerate() {
        match check(&entry) {
            Ok(()) => kept.push(entry),
            Err((field, detail)) => errors.push(Violation { pointer: format!("/{name}/{index}/{field}"), detail }),
        }
    }
    kept
}

impl From<GoalRequest> for Goal {
    fn from(GoalRequest { id, key, user_id, features }: GoalRequest) -> Self {
        Self { id, key, user_id, features }
    }
}

impl From<ParticipationRequest> for Participation {
    fn from(ParticipationRequest { feature: entry, variant, user_id }: ParticipationRequest) -> Self {
        let (feature, segment, run) = parts(&entry).unwrap_or((&entry, 0, None));
        Self { feature: feature.to_owned(), variant, user_id, segment, run, goals_before: 0 }
    }
}

/// Reads `checkout/2/3735928559`, the entry of a user in the second segment, and `checkout/2`, that of a client that was sent no run.
/// Without numbers it is no such entry.
fn parts(entry: &str) -> Option<(&str, usize, Option<u32>)> {
    let (feature, numbers) = entry.split_once('/')?;
    match numbers.split_once('/') {
        Some((segment, run)) => Some((feature, segment.parse().ok()?, Some(run.parse().ok()?))),
        None => Some((feature, numbers.parse().ok().filter(|segment| *segment > 0)?, None)),
    }
}
