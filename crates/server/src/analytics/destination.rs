//! An analytics project as a destination: its requests, and the meaning of its responses.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{HeaderValue, RETRY_AFTER};
use serde_json::json;

use crate::analytics::annotation::{Annotation, CATEGORY};
use crate::analytics::connection::{Connector, Response};
use crate::app::secrets::credentials::Credentials;
use crate::app::{App, BaseUrl};
use crate::domain::delivery::Attempt;

/// The maximum number of characters shown of a response body.
const MAX_SHOWN_CHARACTERS: usize = 300;

/// Replaces keys in a response body.
const REDACTED: &str = "…";

/// How long an attempt may take.
pub(super) const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// An analytics project.
pub(super) struct Destination<'a> {
    pub(super) app: &'a App,
    pub(super) connector: &'a Connector,
    pub(super) url: &'a BaseUrl,
    pub(super) credentials: &'a Credentials,
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
    /// Posts the annotation once, and creates the category first if needed.
    pub(super) async fn attempt(
        &self,
        annotation: &Annotation,
        create_category: bool,
        timeout: Duration,
    ) -> AttemptResult {
        let requests = async {
            if create_category {
                let response = self.post("annotation-categories", &json!({ "category": CATEGORY })).await?;
                if !response.status.is_success() && response.status != StatusCode::CONFLICT {
                    return Ok((response, Some("The category could not be created: ")));
                }
            }
            self.post("annotations", annotation).await.map(|response| (response, None))
        };
        let outcome: Result<_, String> = tokio::select! {
            outcome = requests => outcome,
            () = sleep(self.app, timeout) => Err(format!("No response within {} s.", timeout.as_secs())),
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
                let attempt = Attempt { at, status: None, detail: self.redact(&detail) };
                AttemptResult { attempt, success: false, category_missing: false, retry_after: None }
            }
        }
    }

    async fn post(&self, resource: &str, body: &impl serde::Serialize) -> Result<Response, String> {
        let body = serde_json::to_vec(body).map_err(|error| error.to_string())?;
        let url = format!("{}/api/3/{resource}", self.url);
        let authorization = format!("Basic {}", self.basic_credentials());
        let mut authorization = HeaderValue::try_from(authorization).map_err(|error| error.to_string())?;
        authorization.set_sensitive(true);
        self.connector.post(&url, authorization, Bytes::from(body)).await.map_err(|error| error.to_string())
    }

    fn basic_credentials(&self) -> String {
        let Credentials { api_key, secret_key } = self.credentials;
        STANDARD.encode(format!("{}:{}", api_key.reveal(), secret_key.reveal()))
    }

    /// The status and the response body in one line, without the keys.
    fn describe(&self, response: &Response) -> String {
        let status = match response.status.canonical_reason() {
            Some(reason) => format!("{} {reason}", response.status.as_u16()),
            None => response.status.as_u16().to_string(),
        };
        let hint = match response.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                " Check both keys, and that the region matches the analytics project."
            }
            status if status.is_redirection() => " Redirects are not followed: the request carries the keys.",
            _ => "",
        };
        let body = self.redact(&response.body);
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

    fn redact(&self, text: &str) -> String {
        let Credentials { api_key, secret_key } = self.credentials;
        [self.basic_credentials().as_str(), secret_key.reveal(), api_key.reveal()]
            .into_iter()
            .filter(|key| !key.is_empty())
            .fold(text.to_owned(), |text, key| text.replace(key, REDACTED))
    }
}

/// Sleeps by the application's clock, but no more than three times as long if that clock is set back.
pub(super) async fn sleep(app: &App, duration: Duration) {
    tokio::select! {
        () = app.clock.sleep_until(app.clock.after(duration)) => {}
        () = tokio::time::sleep(duration * 3) => {}
    }
}

/// The `Retry-After` header in seconds. Dates are ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
