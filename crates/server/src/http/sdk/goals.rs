//! `POST /goals`: goals that users reached, users who take part in experiments, and what was evaluated. Each is counted once.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use flagservice_core::Key;
use serde::Deserialize;
use serde_json::json;

use crate::domain::experiments::MAX_SEGMENTS;
use crate::domain::experiments::participation::{ClientReport, Participation};
use crate::domain::goal::{Goal, MAX_KEY_CHARACTERS, MAX_USER_ID_CHARACTERS};
use crate::error::AppError;
use crate::http::extract::json::ClientJson;
use crate::http::extract::text::Text;
use crate::http::problem::{Problem, too_many_requests};
use crate::http::sdk::body_limits::GOALS_BODY;
use crate::http::sdk::evaluations::EvaluationsRequest;
use crate::http::sdk::guard::{ClientKey, ServerKey};
use crate::http::sdk::ids;
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
    feature: Text,
    variant: Text,
    user_id: Text,
}

/// One goal.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoalRequest {
    id: String,
    key: Text,
    user_id: Text,
    #[serde(default)]
    features: BTreeMap<String, String>,
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
    let report = report_of(goals, participations)?;
    let response = record(&serving, &limits, &key, report).await?;
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
    let mut report = report_of(goals, participations)?;
    report.summaries.extend(evaluations.of_service(id.as_deref(), serving.now())?);
    record(&serving, &limits, &key, report).await
}

async fn record(
    serving: &Arc<Serving>,
    limits: &Limits,
    key: &SdkKeyRef,
    report: ClientReport,
) -> Result<Response, Problem> {
    let sent = report.goals.len();
    if let Err(wait) = limits.count_goals(&key.environment_id, report.len()) {
        return Ok(too_many_requests(wait, "Too many goals of this environment."));
    }
    let accepted = if report.is_empty() { 0 } else { serving.keep_report(key.environment_id.clone(), report).await? };
    serving.metrics.goals.inc_by(accepted as u64);
    serving.metrics.database.goals_dropped.inc_by((sent - accepted) as u64);
    Ok((StatusCode::ACCEPTED, Json(json!({ "accepted": accepted }))).into_response())
}

/// Validates what is sent.
fn report_of(goals: Vec<GoalRequest>, participations: Vec<ParticipationRequest>) -> Result<ClientReport, AppError> {
    for (name, entries) in [("goals", goals.len()), ("participations", participations.len())] {
        if entries > MAX_ENTRIES {
            let detail = format!("Send at most {MAX_ENTRIES} {name} in one request.");
            return Err(AppError::invalid(&format!("/{name}"), detail));
        }
    }
    let goals = goals.into_iter().enumerate().map(|(index, goal)| validate(index, goal));
    let participations = participations.into_iter().enumerate().map(|(index, one)| validate_participation(index, one));
    Ok(ClientReport {
        goals: goals.collect::<Result<_, AppError>>()?,
        participations: participations.collect::<Result<_, AppError>>()?,
        summaries: Vec::new(),
    })
}

fn validate_participation(index: usize, participation: ParticipationRequest) -> Result<Participation, AppError> {
    let ParticipationRequest { feature, variant, user_id } = participation;
    let [feature, variant, user_id] = [feature, variant, user_id].map(String::from);
    if user_id.chars().nth(MAX_USER_ID_CHARACTERS).is_some() {
        let detail =
            format!("The userId of a participation has at most {MAX_USER_ID_CHARACTERS} characters. Shorten it.");
        return Err(AppError::invalid(&format!("/participations/{index}/userId"), detail));
    }
    let invalid = |field, detail: &str| AppError::invalid(&format!("/participations/{index}/{field}"), detail);
    if Key::parse(&variant).is_err() {
        return Err(invalid("variant", "The variant of a participation is the key of a variant."));
    }
    let Some((feature, segment)) = feature_and_segment(&feature) else {
        let detail = "The feature of a participation is the key of a feature, or the key, '/' and the number of the user's segment.";
        return Err(invalid("feature", detail));
    };
    Ok(Participation { feature: feature.to_owned(), variant, user_id, segment, goals_before: 0 })
}

/// Reads `checkout`, or `checkout/2` for a user in the second segment.
fn feature_and_segment(text: &str) -> Option<(&str, usize)> {
    let (feature, segment) = match text.split_once('/') {
        None => (text, 0),
        Some((feature, number)) => (feature, number.parse().ok().filter(|number| (1..=MAX_SEGMENTS).contains(number))?),
    };
    Key::parse(feature).is_ok().then_some((feature, segment))
}

fn validate(index: usize, goal: GoalRequest) -> Result<Goal, AppError> {
    if !ids::is_valid(&goal.id) {
        let detail = "The id of a goal must be 8 to 64 letters, digits, '-' or '_'.";
        return Err(AppError::invalid(&format!("/goals/{index}/id"), detail));
    }
    let key = String::from(goal.key);
    if key.is_empty() {
        return Err(AppError::invalid(&format!("/goals/{index}/key"), "The key of a goal can't be empty."));
    }
    let user_id = String::from(goal.user_id);
    let lengths = [("key", &key, MAX_KEY_CHARACTERS), ("userId", &user_id, MAX_USER_ID_CHARACTERS)];
    for (field, text, most) in lengths {
        if text.chars().nth(most).is_some() {
            let detail = format!("The {field} of a goal has at most {most} characters. Shorten it.");
            return Err(AppError::invalid(&format!("/goals/{index}/{field}"), detail));
        }
    }
    Ok(Goal { id: goal.id, key, user_id, features: goal.features })
}
