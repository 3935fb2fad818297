//! Reports goals, participations, evaluations and uses of keys to the upstream, in the order in which they came. What could not be
//! reported is reported again later; each counts once there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flagservice_rules::Instant;
use http_body_util::{BodyExt as _, Limited};
use hyper::StatusCode;
use serde::Serialize;

use crate::domain::experiments::participation::Participation;
use crate::domain::goal::Goal;
use crate::domain::ids::EnvironmentId;
use crate::domain::insights::EvaluationSummary;
use crate::edge::backend::KeyUses;
use crate::edge::report_files::{ReportFiles, Reports, halves};
use crate::edge::upstream::{Upstream, UpstreamError};
use crate::random::Random;
use crate::serving::backoff::Backoff;
use crate::serving::last_use::UsedKey;

const PATH: &str = "/edge/v1/reports";

/// How long the upstream may take to answer.
const TIMEOUT: Duration = Duration::from_secs(40);

/// How often uses of keys are reported.
const KEY_USES_INTERVAL: Duration = Duration::from_secs(5);

/// The delays after failures: the first, and the longest.
const DELAYS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// How much of an error response is read, in bytes.
const MAX_ERROR_BYTES: usize = 2_048;

/// Reports.
pub(super) struct Reporter {
    pub(super) upstream: Arc<Upstream>,
    pub(super) files: Arc<ReportFiles>,
    pub(super) key_uses: Arc<KeyUses>,
    pub(super) random: Arc<dyn Random>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    goals: BTreeMap<&'a EnvironmentId, &'a [Goal]>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    participations: BTreeMap<&'a EnvironmentId, &'a [Participation]>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    summaries: BTreeMap<&'a EnvironmentId, &'a [EvaluationSummary]>,
    key_uses: BTreeMap<&'a str, i64>,
}

impl<'a> Report<'a> {
    fn new(reports: &'a Reports, key_uses: BTreeMap<&'a str, i64>) -> Self {
        let goals = reports.iter().map(|(id, report)| (id, report.goals.as_slice()));
        let participations = reports.iter().map(|(id, report)| (id, report.participations.as_slice()));
        let summaries = reports.iter().map(|(id, report)| (id, report.summaries.as_slice()));
        Self {
            goals: goals.filter(|(_, goals)| !goals.is_empty()).collect(),
            participations: participations.filter(|(_, participations)| !participations.is_empty()).collect(),
            summaries: summaries.filter(|(_, summaries)| !summaries.is_empty()).collect(),
            key_uses,
        }
    }
}

/// Why a report was not taken.
enum Failure {
    /// It can be sent again later.
    Later(String),
    /// The upstream will never take it.
    Rejected(String),
    /// The upstream, or something before it, takes smaller ones only.
    TooLarge(String),
}

impl Reporter {
    /// Runs until the task is aborted.
    pub(super) async fn run(self) {
        let mut backoff = Backoff::new(DELAYS, Arc::clone(&self.random));
        let mut key_uses_due = tokio::time::interval(KEY_USES_INTERVAL);
        loop {
            let uses_are_due = tokio::select! {
                () = self.files.written.notified() => false,
                _ = key_uses_due.tick() => true,
            };
            while let Err(reason) = self.report_all(uses_are_due).await {
                if backoff.failures() == 0 {
                    tracing::warn!(reason, "goals cannot be reported to the upstream now; they are kept");
                }
                tokio::time::sleep(backoff.next_delay()).await;
            }
            backoff.reset();
        }
    }

    /// Reports everything that waits.
    async fn report_all(&self, with_key_uses: bool) -> Result<(), String> {
        let mut uses = if with_key_uses { self.key_uses.take() } else { BTreeMap::new() };
        loop {
            let files = Arc::clone(&self.files);
            let batch = tokio::task::spawn_blocking(move || files.oldest()).await.map_err(|error| error.to_string())?;
            if batch.is_none() && uses.is_empty() {
                return Ok(());
            }
            let (names, reports) = batch.map_or_else(Default::default, |batch| (batch.names, batch.reports));
            self.report(reports, &mut uses).await?;
            self.files.remove(&names).map_err(|error| format!("a file of goals cannot be removed: {error}"))?;
        }
    }

    /// Reports in one request, or in several if the upstream finds one too large. Takes the uses of keys.
    async fn report(&self, reports: Reports, uses: &mut BTreeMap<UsedKey, Instant>) -> Result<(), String> {
        let mut parts = vec![reports];
        while let Some(part) = parts.pop() {
            let key_uses = uses.iter().map(|(key, at)| (key.as_str(), at.0)).collect();
            match self.send(&Report::new(&part, key_uses)).await {
                Ok(()) => {}
                Err(Failure::TooLarge(reason)) => match halves(part) {
                    Some((earlier, later)) => {
                        parts.extend([later, earlier]);
                        continue;
                    }
                    None => tracing::error!(reason, "the upstream refuses a single goal; it is lost"),
                },
                Err(Failure::Rejected(reason)) => tracing::error!(reason, "the upstream refuses goals; they are lost"),
                Err(Failure::Later(reason)) => {
                    self.key_uses.put_back(std::mem::take(uses));
                    return Err(reason);
                }
            }
            uses.clear();
        }
        Ok(())
    }

    async fn send(&self, report: &Report<'_>) -> Result<(), Failure> {
        let body = serde_json::to_vec(report).map_err(|error| Failure::Rejected(error.to_string()))?;
        let answered = self.upstream.post(PATH, body, async |response| {
            let status = response.status();
            let text = Limited::new(response.into_body(), MAX_ERROR_BYTES).collect().await;
            (status, text.map(|text| String::from_utf8_lossy(&text.to_bytes()).into_owned()).unwrap_or_default())
        });
        let answered: Result<(StatusCode, String), UpstreamError> =
            tokio::time::timeout(TIMEOUT, answered).await.unwrap_or(Err(UpstreamError::Timeout));
        let (status, text) = answered.map_err(|error| Failure::Later(error.to_string()))?;
        match status {
            _ if status.is_success() => Ok(()),
            StatusCode::PAYLOAD_TOO_LARGE => Err(Failure::TooLarge(format!("{status}: {text}"))),
            StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST => {
                Err(Failure::Rejected(format!("{status}: {text}")))
            }
            _ => Err(Failure::Later(format!("{status}: {text}"))),
        }
    }
}
