//! `POST /edge/v1/reports`: goals, participations and evaluations that clients sent to an edge, and when they last used their keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagservice_rules::Instant;
use serde::{Deserialize, Serialize};

use crate::domain::experiments::participation::{ClientReport, Participation};
use crate::domain::goal::{Goal, InvalidField};
use crate::domain::ids::EnvironmentId;
use crate::domain::insights::EvaluationSummary;
use crate::error::AppError;
use crate::http::edge::guard::EdgeKey;
use crate::http::extract::json::ClientJson;
use crate::http::problem::Problem;
use crate::serving::Serving;
use crate::serving::last_use::UsedKey;

/// The largest report, in bytes. An edge sends much less at once, and halves what is refused as too large; one goal has at most 64 KiB.
const REPORT_BODY: usize = 4 * 1024 * 1024;

/// A report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Goals by environment. Each counts once, however often it is reported.
    #[serde(default)]
    goals: BTreeMap<String, Vec<Goal>>,
    /// Participations by environment, each with the number of goals above that were reached before.
    #[serde(default)]
    participations: BTreeMap<String, Vec<Participation>>,
    /// Evaluations by environment. Each summary counts once.
    #[serde(default)]
    summaries: BTreeMap<String, Vec<EvaluationSummary>>,
    /// When keys were last used, in milliseconds since 1970.
    #[serde(default)]
    key_uses: BTreeMap<String, i64>,
}

/// What was kept of a report.
#[derive(Serialize)]
pub struct Reported {
    /// The number of goals that are stored, new or not.
    accepted: usize,
}

/// Keeps a report. What belongs to environments that the key does not reach is left out: they may have been deleted since.
pub async fn report(
    State(serving): State<Arc<Serving>>,
    EdgeKey { environments, .. }: EdgeKey,
    ClientJson(report): ClientJson<Report, REPORT_BODY>,
) -> Result<(StatusCode, Json<Reported>), Problem> {
    let mut reports: BTreeMap<String, ClientReport> = BTreeMap::new();
    for (environment, goals) in report.goals {
        reports.entry(environment).or_default().goals = goals;
    }
    for (environment, participations) in report.participations {
        reports.entry(environment).or_default().participations = participations;
    }
    for (environment, summaries) in report.summaries {
        reports.entry(environment).or_default().summaries = summaries;
    }
    for (environment, report) in &reports {
        check(environment, report)?;
    }
    let mut accepted = 0;
    for (environment, report) in reports {
        let environment = EnvironmentId::from(environment);
        if !environments.contains(&environment) {
            continue;
        }
        let sent = report.goals.len();
        match serving.keep_report(environment, report).await {
            Ok(kept) => {
                accepted += kept;
                serving.metrics.database.goals_dropped.inc_by((sent - kept) as u64);
            }
            // The environment was deleted a moment ago.
            Err(AppError::UnknownClientKey) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let now = serving.now();
    for environment in environments.iter().filter_map(|id| serving.snapshots.current(id)) {
        let sdk_keys = environment.snapshot.keys.iter().map(|key| UsedKey::Sdk(key.id.clone()));
        let edge_keys = environment.snapshot.edge_keys.iter().map(|key| UsedKey::Edge(key.id.clone()));
        for key in sdk_keys.chain(edge_keys) {
            if let Some(at) = report.key_uses.get(key.as_str()) {
                // The clock of an edge may be ahead.
                serving.backend.note_use(key, Instant(*at).min(now));
            }
        }
    }
    Ok((StatusCode::ACCEPTED, Json(Reported { accepted })))
}

/// Refuses what a client could not have sent to the edge: one report that the database refuses would hold up the goals of others.
fn check(environment: &str, report: &ClientReport) -> Result<(), AppError> {
    let within = |list: &str, index: usize, checked: Result<(), InvalidField>| {
        checked.map_err(|(field, detail)| AppError::invalid(&format!("/{list}/{environment}/{index}/{field}"), detail))
    };
    for (index, goal) in report.goals.iter().enumerate() {
        within("goals", index, goal.check())?;
    }
    for (index, participation) in report.participations.iter().enumerate() {
        within("participations", index, participation.check())?;
        if participation.goals_before > report.goals.len() {
            let detail = "A participation has at most as many goals before it as the report has.".to_owned();
            within("participations", index, Err(("goalsBefore", detail)))?;
        }
    }
    for (index, summary) in report.summaries.iter().enumerate() {
        within("summaries", index, summary.check())?;
    }
    Ok(())
}
