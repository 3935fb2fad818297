//! Sends a message in the form of an integration, with its address and its credentials.

use std::fmt;
use std::sync::Arc;

use flagservice_rules::Instant;

use crate::analytics::analytics_project::AnalyticsProject;
use crate::analytics::annotation::Annotation;
use crate::analytics::connection::Connector;
use crate::analytics::destination::{Destination, Target};
use crate::analytics::hook::HookRequest;
use crate::analytics::message::Message;
use crate::analytics::retry::{AttemptHooks, send_with_retry};
use crate::analytics::slack::SlackMessage;
use crate::analytics::webhook::Payload;
use crate::app::delivery::test_events::Sent;
use crate::app::secrets::credentials::{self, Credentials};
use crate::app::{App, Result};
use crate::domain::integration::{Integration, Kind};

/// Sends messages to integrations.
pub(super) struct IntegrationSender {
    pub(super) app: Arc<App>,
    pub(super) connector: Connector,
}

/// Why nothing can be sent to an integration. Its deliveries stay queued.
pub(super) enum Undeliverable {
    /// The region has no URL.
    NoUrl(String),
    /// The keys cannot be decrypted.
    UnreadableKeys,
    /// The URL of a webhook cannot be decrypted.
    UnreadableUrl,
}

impl fmt::Display for Undeliverable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl(region) => {
                write!(f, "Not sent: this server has no URL for the region {region}. Ask its operator to set one.")
            }
            Self::UnreadableKeys => f.write_str("Not sent: the stored keys cannot be read. Enter both keys again."),
            Self::UnreadableUrl => f.write_str(
                "Not sent: the stored URL and secret cannot be read. Delete this integration, and create it again.",
            ),
        }
    }
}

impl IntegrationSender {
    /// Sends a message. Returns `None` if the hooks cancelled the retry. The second attempt must end
    /// before the deadline, if there is one.
    pub(super) async fn send(
        &self,
        integration: &Integration,
        message: Message<'_>,
        deadline: Option<Instant>,
        hooks: &mut dyn AttemptHooks,
    ) -> Result<std::result::Result<Option<Sent>, Undeliverable>> {
        let app = &*self.app;
        let stored = credentials::open(app, &integration.id, &integration.credentials).await?;
        let public_url = app.outbound.public.as_ref().map_or("", |public| public.as_str());
        let target = match (integration.kind, &stored) {
            (Kind::Analytics, keys) => {
                let Some(url) = app.outbound.address(integration.region) else {
                    return Ok(Err(Undeliverable::NoUrl(integration.region.to_string())));
                };
                let Some(Credentials::Analytics(keys)) = keys else { return Ok(Err(Undeliverable::UnreadableKeys)) };
                Target::Analytics(AnalyticsProject { url, keys, annotation: Annotation::new(&message, public_url) })
            }
            (kind @ (Kind::Webhook | Kind::Slack), Some(Credentials::Hook(hook))) => {
                let body = match kind {
                    Kind::Slack => serde_json::to_vec(&SlackMessage::new(&message, public_url)),
                    Kind::Webhook | Kind::Analytics => serde_json::to_vec(&Payload::new(&message, public_url)),
                };
                let body = body.map_err(anyhow::Error::new)?.into();
                Target::Hook(HookRequest { hook, id: message.id.to_owned(), body })
            }
            (Kind::Webhook | Kind::Slack, _) => return Ok(Err(Undeliverable::UnreadableUrl)),
        };
        let destination = Destination { app, connector: &self.connector, target };
        Ok(Ok(send_with_retry(&destination, deadline, hooks).await))
    }
}
