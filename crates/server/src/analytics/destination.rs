//! A destination: its requests, and the meaning of its responses.

use std::time::Duration;

use hyper::StatusCode;
use hyper::header::RETRY_AFTER;

use crate::analytics::analytics_project::AnalyticsProject;
use crate::analytics::connection::{Answer, Connector, Response};
use crate::analytics::hook::HookRequest;
use crate::analytics::redaction::redact;
use crate::app::App;
use crate::domain::delivery::Attempt;

/// The maximum number of characters shown of a response body.
const MAX_SHOWN_CHARACTERS: usize = 300;

/// How long an attempt may take.
pub(super) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a message is sent.
pub(super) struct Destination<'a> {
    pub(super) app: &'a App,
    pub(super) connector: &'a Connector,
    pub(super) target: Target<'a>,
}

/// What is sent, and where.
pub(super) enum Target<'a> {
    /// An annotation, to an analytics project.
    Analytics(AnalyticsProject<'a>),
    /// A webhook, or a message for Slack.
    Hook(HookRequest<'a>),
}

/// The result of an attempt, and what it means for the next one.
pub(super) struct AttemptResult {
    pub(super) attempt: Attempt,
    pub(super) success: bool,
    /// Whether the category may be missing, so that the next attempt creates it.
    pub(super) category_missing: bool,
    /// The delay that the destination asks for.
    pub(super) retry_after: Option<Duration>,
}

impl Destination<'_> {
    /// Sends once. The category of annotations is created first if needed.
    pub(super) async fn attempt(&self, create_category: bool, timeout: Duration) -> AttemptResult {
        let requests = async {
            match &self.target {
                Target::Analytics(project) => project.send(self.connector, create_category).await,
                Target::Hook(request) => request.send(self.app, self.connector).await,
            }
        };
        let outcome: Answer = tokio::select! {
            outcome = requests => outcome,
            () = self.app.clock.sleep(timeout) => Err(format!("No response within {} s.", timeout.as_secs())),
        };
        let at = self.app.now();
        match outcome {
            Ok((response, error_prefix)) => {
                let success = response.status.is_success() && error_prefix.is_none();
                let detail = format!("{}{}", error_prefix.unwrap_or_default(), self.describe(&response));
                AttemptResult {
                    attempt: Attempt { at, status: Some(response.status.as_u16()), detail },
                    success,
                    category_missing: response.status == StatusCode::NOT_FOUND,
                    retry_after: retry_after(&response),
                }
            }
            Err(detail) => {
                let attempt = Attempt { at, status: None, detail: redact(&detail, false, &self.secrets()) };
                AttemptResult { attempt, success: false, category_missing: false, retry_after: None }
            }
        }
    }

    /// The status and the response body in one line, without secrets.
    fn describe(&self, response: &Response) -> String {
        let status = match response.status.canonical_reason() {
            Some(reason) => format!("{} {reason}", response.status.as_u16()),
            None => response.status.as_u16().to_string(),
        };
        let hint = match &self.target {
            Target::Analytics(_) => AnalyticsProject::hint(response.status),
            Target::Hook(_) => HookRequest::hint(response.status),
        };
        let body = redact(&response.body, response.is_cut, &self.secrets());
        let words = body.split(|character: char| character.is_whitespace() || character.is_control());
        let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let shown: String = line.chars().take(MAX_SHOWN_CHARACTERS).collect();
        match (response.status.is_success() || shown.is_empty(), hint) {
            (true, "") => status,
            (true, hint) => format!("{status}.{hint}"),
            (false, "") => format!("{status}: {shown}"),
            (false, hint) => format!("{status}: {shown} –{hint}"),
        }
    }

    /// What no log shows.
    fn secrets(&self) -> Vec<String> {
        match &self.target {
            Target::Analytics(project) => project.secrets(),
            Target::Hook(request) => request.secrets(),
        }
    }
}

/// The `Retry-After` header in seconds. Dates are ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
