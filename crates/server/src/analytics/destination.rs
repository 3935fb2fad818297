//! An analytics project as requests reach it: its address, its keys, and what its answers mean.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{HeaderValue, RETRY_AFTER};
use serde_json::json;

use crate::analytics::annotation::{Annotation, CATEGORY};
use crate::analytics::connection::{Answer, Dialler};
use crate::app::secrets::credentials::Credentials;
use crate::app::{App, BaseUrl};
use crate::domain::delivery::Attempt;

/// How much of an answer's text is shown, in characters.
const SHOWN: usize = 300;

/// What stands where an answer shows a key.
const HIDDEN: &str = "…";

/// How long one attempt may take.
pub(super) const ATTEMPT: Duration = Duration::from_secs(10);

/// An analytics project.
pub(super) struct Destination<'a> {
    pub(super) app: &'a App,
    pub(super) dialler: &'a Dialler,
    pub(super) address: &'a BaseUrl,
    pub(super) credentials: &'a Credentials,
}

/// What came of an attempt, and what it means for the next one.
pub(super) struct Tried {
    pub(super) attempt: Attempt,
    pub(super) success: bool,
    /// The category is to be created before the next attempt.
    pub(super) without_category: bool,
    /// When the destination wants the next attempt.
    pub(super) retry_after: Option<Duration>,
}

impl Destination<'_> {
    /// Posts the annotation, once. With `category` it is created first, in the same time.
    pub(super) async fn attempt(&self, annotation: &Annotation, category: bool, within: Duration) -> Tried {
        let requests = async {
            if category {
                let answer = self.post("annotation-categories", &json!({ "category": CATEGORY })).await?;
                if !answer.status.is_success() && answer.status != StatusCode::CONFLICT {
                    return Ok((answer, Some("The category could not be created: ")));
                }
            }
            self.post("annotations", annotation).await.map(|answer| (answer, None))
        };
        let outcome: Result<_, String> = tokio::select! {
            outcome = requests => outcome,
            () = pass(self.app, within) => Err(format!("No answer within {} s.", within.as_secs())),
        };
        let at = self.app.now();
        match outcome {
            Ok((answer, refused)) => {
                let success = answer.status.is_success() && refused.is_none();
                let detail = format!("{}{}", refused.unwrap_or_default(), self.describe(&answer));
                Tried {
                    attempt: Attempt { at, status: Some(answer.status.as_u16()), detail },
                    success,
                    without_category: answer.status == StatusCode::NOT_FOUND,
                    retry_after: retry_after(&answer),
                }
            }
            Err(detail) => {
                let attempt = Attempt { at, status: None, detail: self.without_keys(&detail) };
                Tried { attempt, success: false, without_category: false, retry_after: None }
            }
        }
    }

    async fn post(&self, what: &str, body: &impl serde::Serialize) -> Result<Answer, String> {
        let body = serde_json::to_vec(body).map_err(|error| error.to_string())?;
        let url = format!("{}/api/3/{what}", self.address);
        let authorization = format!("Basic {}", self.basic());
        let mut authorization = HeaderValue::try_from(authorization).map_err(|error| error.to_string())?;
        authorization.set_sensitive(true);
        self.dialler.post(&url, authorization, Bytes::from(body)).await.map_err(|error| error.to_string())
    }

    fn basic(&self) -> String {
        let Credentials { api_key, secret_key } = self.credentials;
        STANDARD.encode(format!("{}:{}", api_key.reveal(), secret_key.reveal()))
    }

    /// The status and what the destination says of it, on one line, without the keys that it may repeat.
    fn describe(&self, answer: &Answer) -> String {
        let status = match answer.status.canonical_reason() {
            Some(reason) => format!("{} {reason}", answer.status.as_u16()),
            None => answer.status.as_u16().to_string(),
        };
        let hint = match answer.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                " Check both keys, and that the region is that of the analytics project."
            }
            status if status.is_redirection() => " Redirects are not followed: the request carries the keys.",
            _ => "",
        };
        let words = self.without_keys(&answer.text);
        let words: Vec<_> =
            words.split(|character: char| character.is_whitespace() || character.is_control()).collect();
        let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(SHOWN).collect();
        match (answer.status.is_success() || shown.is_empty(), hint) {
            (true, "") => status,
            (true, hint) => format!("{status}.{hint}"),
            (false, "") => format!("{status}: {shown}"),
            (false, hint) => format!("{status}: {shown} –{hint}"),
        }
    }

    fn without_keys(&self, text: &str) -> String {
        let Credentials { api_key, secret_key } = self.credentials;
        [self.basic().as_str(), secret_key.reveal(), api_key.reveal()]
            .into_iter()
            .filter(|key| !key.is_empty())
            .fold(text.to_owned(), |text, key| text.replace(key, HIDDEN))
    }
}

/// Waits for that long. A clock that is set back holds nothing up for much longer.
pub(super) async fn pass(app: &App, time: Duration) {
    tokio::select! {
        () = app.clock.sleep_until(after(app, time)) => {}
        () = tokio::time::sleep(time * 3) => {}
    }
}

/// That long from now.
pub(super) fn after(app: &App, time: Duration) -> flagservice_rules::Instant {
    flagservice_rules::Instant(app.now().0.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
}

/// The seconds that the destination asks for; a date is not waited for.
fn retry_after(answer: &Answer) -> Option<Duration> {
    let seconds = answer.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
