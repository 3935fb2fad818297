//! A webhook as a destination: a request to a URL that people entered, with signatures if it has a signing secret.

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::HeaderValue;

use crate::analytics::connection::{Answer, Connector, Post};
use crate::app::App;
use crate::app::secrets::credentials::{Hook, Signing};
use crate::app::secrets::signing::timestamp;

/// A request for a webhook. Each attempt has the same body.
pub(super) struct HookRequest<'a> {
    pub(super) hook: &'a Hook,
    /// The id of the delivery.
    pub(super) id: String,
    pub(super) body: Bytes,
}

impl HookRequest<'_> {
    /// Posts the body, signed now.
    pub(super) async fn send(&self, app: &App, connector: &Connector) -> Answer {
        let invalid = |error: hyper::http::header::InvalidHeaderValue| error.to_string();
        let mut headers = Vec::new();
        if let Some(signing) = &self.hook.signing {
            let now = app.now();
            let signatures: Vec<_> = signing.keys_at(now).map(|key| key.sign(&self.id, now, &self.body)).collect();
            headers = vec![
                ("webhook-id", HeaderValue::try_from(&self.id).map_err(invalid)?),
                ("webhook-timestamp", HeaderValue::from(timestamp(now))),
                ("webhook-signature", HeaderValue::try_from(signatures.join(" ")).map_err(invalid)?),
            ];
        }
        let reach = Some(&app.outbound.reach);
        let post = Post { url: self.hook.url.reveal(), headers, body: self.body.clone(), reach };
        connector.post(post).await.map(|response| (response, None)).map_err(|error| error.to_string())
    }

    /// What no log shows.
    pub(super) fn secrets(&self) -> Vec<String> {
        let mut secrets = self.hook.url.secrets();
        if let Some(Signing { key, previous }) = &self.hook.signing {
            let keys = std::iter::once(key).chain(previous.iter().map(|(key, _)| key));
            secrets.extend(keys.map(|key| key.text().reveal().to_owned()));
        }
        secrets
    }

    /// What to do about a response; empty if it is clear.
    pub(super) fn hint(status: StatusCode) -> &'static str {
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::GONE => {
                " Check the URL: the receiver does not accept it."
            }
            status if status.is_redirection() => " Redirects are not followed: enter the URL that this one leads to.",
            _ => "",
        }
    }
}
