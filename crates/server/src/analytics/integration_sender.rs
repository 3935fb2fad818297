//! Sends the annotation of a change with the address and the keys of an integration.

use std::fmt;
use std::sync::Arc;

use flagservice_rules::Instant;

use crate::analytics::annotation::{Annotation, LinkedChange};
use crate::analytics::connection::Connector;
use crate::analytics::destination::Destination;
use crate::analytics::retry::{AttemptHooks, send_with_retry};
use crate::app::delivery::test_events::Sent;
use crate::app::secrets::credentials;
use crate::app::{App, Result};
use crate::domain::integration::Integration;

/// Sends annotations to integrations.
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
}

impl fmt::Display for Undeliverable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl(region) => {
                write!(f, "Not sent: this server has no URL for the region {region}. Ask its operator to set one.")
            }
            Self::UnreadableKeys => f.write_str("Not sent: the stored keys cannot be read. Enter both keys again."),
        }
    }
}

impl IntegrationSender {
    /// Sends a change. Returns `None` if the hooks cancelled the retry. The second attempt must end
    /// before the deadline, if there is one.
    pub(super) async fn send(
        &self,
        integration: &Integration,
        change: LinkedChange<'_>,
        deadline: Option<Instant>,
        hooks: &mut dyn AttemptHooks,
    ) -> Result<std::result::Result<Option<Sent>, Undeliverable>> {
        let app = &*self.app;
        let Some(url) = app.outbound.address(integration.region) else {
            return Ok(Err(Undeliverable::NoUrl(integration.region.to_string())));
        };
        let Some(credentials) = credentials::open(app, &integration.id, &integration.credentials).await? else {
            return Ok(Err(Undeliverable::UnreadableKeys));
        };
        let public_url = app.outbound.public.as_ref().map_or("", |public| public.as_str());
        let annotation = Annotation::new(change, public_url);
        let destination = Destination { app, connector: &self.connector, url, credentials: &credentials };
        Ok(Ok(send_with_retry(&destination, &annotation, deadline, hooks).await))
    }
}
